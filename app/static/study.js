// The study of an exercise: the learner's code runs once with a program that is shown below, and is not judged.
// The last line that is printed is a figure. Like all that comes out of a box it may be anything, 64 KiB at most.

import { drawFigures } from "./figures.js";
import { html } from "./node.js";
import { Run, whereItIs } from "./runs.js";
import { _ } from "./words.js";

const element = (id) => document.getElementById(id);

function figureOf(line) {
  try {
    const { kind, data } = JSON.parse(line);
    if (typeof kind !== "string" || typeof data !== "object") return null;
    const text = JSON.stringify(data);
    return html("figure", { class: "figure", "data-kind": kind, "data-figure": text },
      html("pre", { class: "code code--plain", tabindex: "0" }, text));
  } catch {
    return null; // no figure, but something else that was printed
  }
}

// `code()` is what stands in the editor.
export function offerStudy(exercise, code) {
  const button = element("study-run");
  if (button === null) return; // few exercises have one
  const [end, shown, problem] = ["study-end", "study-shown", "study-problem"].map(element);
  const words = button.textContent;
  let run = null;
  let printed = "";

  function show(event) {
    const state = whereItIs(event);
    if (state !== null) say(state);
    if (event.event === "begun") printed = "";
    if (event.event === "printed") printed += event.text;
    if (event.event === "ended") showEnd(event);
  }

  function showEnd(event) {
    end.innerHTML = event.html; // the server's own, in which all that is the reader's is escaped
    const lines = printed.trimEnd().split("\n");
    const figure = figureOf(lines.at(-1));
    const rest = (figure === null ? lines : lines.slice(0, -1)).join("\n").trimEnd();
    if (figure === null) end.querySelector(".note")?.append(" ", _("It left nothing to draw."));
    shown.replaceChildren(
      ...(figure === null ? [] : [figure]),
      ...(rest === "" ? [] : [html("p", { class: "note" }, _("What your code printed")),
        html("pre", { class: "code code--plain", tabindex: "0" }, rest)]),
    );
    drawFigures(shown);
  }

  function say(sentence) {
    end.replaceChildren(html("p", { class: "note" }, sentence));
  }

  async function start() {
    problem.hidden = true;
    shown.replaceChildren();
    say(_("Sent"));
    button.textContent = _("Stop");
    run = new Run(`/api/exercises/${exercise}/study`, { source: code() }, show, Promise.resolve());
    try {
      await run.follow();
    } catch (error) {
      end.replaceChildren();
      problem.textContent = error.message;
      problem.hidden = false;
    }
    run = null;
    button.textContent = words;
  }

  button.addEventListener("click", () => (run === null ? start() : run.stop()));
  addEventListener("pagehide", () => run?.stop());
  button.hidden = false;
  element("study-without").hidden = true;
}
