// A submission's checks as they arrive. The server renders each piece; this script puts it into its place.
// A connection that is lost comes back by itself and goes on after the last event that arrived.

import { drawFigures } from "./figures.js";
import { Stream } from "./stream.js";
import { _ } from "./words.js";

export const results = document.getElementById("results");
const said = document.getElementById("said");
const page = JSON.parse(document.getElementById("page").textContent);

// For screen readers: one sentence at a time, whatever else changes on the page.
export function say(...parts) {
  said.replaceChildren(...parts);
}

// What an element says, in its own language, which may be another than the page's.
function spoken({ lang, textContent }) {
  const part = document.createElement("span");
  if (lang !== "") part.lang = lang;
  part.textContent = textContent.trim();
  return part;
}

function piece(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
}

function placeOf(check) {
  return results.querySelector(`.check[data-check="${CSS.escape(check)}"]`);
}

const show = {
  waiting({ html, position, silent }) {
    const waiting = results.querySelector(".waiting");
    const judging = results.querySelector(":scope > .checks") !== null; // those in a verdict are of what was sent before
    if (waiting === null && judging && !silent) return;
    if (waiting !== null) waiting.replaceWith(piece(html));
    else if (judging) results.prepend(piece(html));
    else results.replaceChildren(piece(html));
    say(silent ? results.querySelector(".waiting").textContent.trim() : position > 0
      ? _("Waiting: number {position} in the queue", { position }) : _("Being judged"));
  },

  started({ html }) {
    const template = document.createElement("template");
    template.innerHTML = html;
    results.replaceChildren(template.content);
  },

  check({ html, check }) {
    results.querySelector(".waiting")?.remove();
    const old = placeOf(check.id);
    const now = piece(html);
    if (old === null) {
      (results.querySelector(".checks") ?? results).append(now);
    } else {
      now.querySelector(".check__figures").append(...old.querySelector(".check__figures").childNodes);
      old.replaceWith(now);
      // They show more once it is known how the check ended.
      for (const figure of now.querySelectorAll(".figure")) delete figure.dataset.drawn;
      drawFigures(now);
    }
    now.classList.add("check--new");
    const all = [...results.querySelectorAll(".check")];
    const done = all.filter((one) => !one.classList.contains("check--waiting")).length;
    const status = now.querySelector(".check__status").textContent;
    const [before, after] = _("{done} of {count}: {title}: {status}", { done, count: all.length, title: "\n", status }).split("\n");
    say(before, spoken(now.querySelector(".check__title")), after);
  },

  figure({ html, figure }) {
    const drawing = piece(html);
    placeOf(figure.check)?.querySelector(".check__figures").append(drawing);
    drawFigures(drawing.parentElement ?? drawing);
  },

  finished({ html }) {
    results.replaceChildren(piece(html));
    drawFigures(results);
    const sentences = [...results.querySelectorAll(".headline, .verdict__message, .diagnosis__sentence")];
    say(...sentences.flatMap((sentence, index) => [index > 0 ? ". " : "", spoken(sentence)]));
  },
};

let stream = null;

// Resolves when the verdict is shown; never, when another submission is followed instead.
export function follow(id) {
  stream?.close();
  return new Promise((resolve, reject) => {
    const tell = (event) => {
      show[event.event](event);
      if (event.event !== "finished") return;
      stream.close();
      resolve();
    };
    const refused = () => reject(new Error(_("The verdict cannot be shown here. Reload the page.")));
    stream = new Stream(`/api/submissions/${id}/events?lang=${page.lang}`, tell, refused);
  });
}

drawFigures(results);
if (results.dataset.follow !== undefined && document.getElementById("desk") === null) {
  follow(results.dataset.follow).catch((error) => say(error.message));
}
