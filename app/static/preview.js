// Pages of a preview: they load again when the exercise's folder changes, and show each program's verdict as it arrives.

const bar = document.getElementById("preview");
const count = document.getElementById("count");
const events = new EventSource(`/api/preview/events?lang=${bar.dataset.lang}`);

events.addEventListener("message", (message) => {
  const news = JSON.parse(message.data);
  if (news.version !== bar.dataset.version) {
    events.close();
    location.reload();
    return;
  }
  if (count !== null) count.textContent = news.count;
  if (news.program !== undefined) show(news);
});

function show({ program, html }) {
  const row = document.querySelector(`[data-program="${CSS.escape(program)}"]:not([data-judged])`);
  if (row === null) return;
  const template = document.createElement("template");
  template.innerHTML = html;
  const now = template.content.firstElementChild;
  now.querySelector("details").open = row.querySelector("details").open;
  row.replaceWith(now);
}
