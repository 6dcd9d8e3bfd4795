// Pages of a preview: they load again when the exercise's folder changes, and show each program's verdict as it arrives.

import { Stream } from "./stream.js";

const bar = document.getElementById("preview");
const count = document.getElementById("count");
const stream = new Stream(`/api/preview/events?lang=${bar.dataset.lang}`, tell, () => null);

function tell(news) {
  if (news.version !== bar.dataset.version) {
    stream.close();
    location.reload();
    return;
  }
  if (count !== null) count.textContent = news.count;
  if (news.program !== undefined) show(news);
}

function show({ program, html }) {
  const row = document.querySelector(`[data-program="${CSS.escape(program)}"]:not([data-judged])`);
  if (row === null) return;
  const template = document.createElement("template");
  template.innerHTML = html;
  const now = template.content.firstElementChild;
  now.querySelector("details").open = row.querySelector("details").open;
  row.replaceWith(now);
}
