// The five lines, movable, and what each finds in `.grad`. How an order ends is read from orders.json, which a script of
// the project made and a test holds against running it; `trace` only shows the way there, as `follow` in
// chapter/orders.py goes it.

import { button, html, svg, whenNear } from "./node.js";
import { _ } from "./words.js";

export const LINES = ["forward", "zero", "backward", "clip", "step"];
const CODE = {
  forward: "loss = loss_fn(model(x), y)", zero: "optimizer.zero_grad()", backward: "loss.backward()",
  clip: "clip_grad_norm_(...)", step: "optimizer.step()",
};
const SHORT = { forward: "loss = …", zero: "zero_grad", backward: "backward", clip: "clip", step: "step" }; // for narrow windows
const STATES = ["empty", "fresh", "clipped", "stale"]; // what `.grad` can be, from left to right
const BATCHES = 3;
const ROW = 52;
const ICONS = { up: "M10 4l6 8H4z", down: "M10 16l6-8H4z", grip: "M4 6h12M4 10h12M4 14h12" };

// What the last of a few batches finds: the state before it, and per line the state after it; `broken` marks the line
// that an error or a wrong step ends at.
export function trace(order) {
  let grad = [];
  let clipped = false;
  let loss = null;
  let weights = 0;
  const state = (batch) => {
    if (grad.length === 0) return "empty";
    if (grad.length > 1 || grad[0] !== batch) return "stale";
    return clipped ? "clipped" : "fresh";
  };
  let rows = [];
  let start = "empty";
  for (let batch = 0; batch < BATCHES; batch++) {
    rows = [];
    start = state(batch);
    for (const line of order) {
      let broken = false;
      if (line === "forward") loss = { batch, weights };
      else if (line === "zero") [grad, clipped] = [[], false];
      else if (line === "backward") {
        if (loss === null || loss.weights !== weights) {
          const before = rows.map((row) => ({ ...row, broken: false })); // an error comes before any wrong step
          return { start, rows: [...before, { line, state: state(batch), broken: true }], stopped: true };
        }
        [grad, clipped] = [[...grad, loss.batch], false];
      } else if (line === "clip") clipped = grad.length > 0;
      else {
        broken = state(batch) !== "clipped";
        weights += grad.length > 0 ? 1 : 0;
      }
      rows.push({ line, state: state(batch), broken });
    }
  }
  return { start, rows, stopped: false };
}

const figure = document.getElementById("figure-orders");

function build(data) {
  const names = { empty: _("empty"), fresh: _("this batch’s"), clipped: _("clipped"), stale: _("older or mixed") };
  let order = [...LINES];
  const list = html("ol", { class: "score__lines" });
  const drawing = svg("svg", { class: "score__way", "aria-hidden": "true", height: ROW * LINES.length });
  const verdict = html("p", { class: "score__verdict", "aria-live": "polite" });
  const rows = new Map(LINES.map((line) => [line, row(line)]));

  function row(line) {
    const grip = html("span", { class: "score__grip", "aria-hidden": "true" },
      svg("svg", { viewBox: "0 0 20 20", width: 18, height: 18 }, svg("path", { d: ICONS.grip })));
    const up = button(_("Move {line} up", { line: CODE[line] }), ICONS.up, () => move(line, -1, up));
    const down = button(_("Move {line} down", { line: CODE[line] }), ICONS.down, () => move(line, 1, down));
    const said = html("span", { class: "unseen" });
    const node = html("li", { "data-line": line }, grip, html("code", {}, html("span", { class: "score__long" }, CODE[line]), html("span", { class: "score__short" }, SHORT[line])), said, up, down);
    drag(node, line);
    return { node, said, up, down };
  }

  function move(line, by, focused) {
    const from = order.indexOf(line);
    put(line, from + by);
    focused?.focus(); // moving an element takes the focus from what is in it
  }

  function put(line, to) {
    const from = order.indexOf(line);
    if (to < 0 || to >= order.length || to === from) return;
    order.splice(from, 1);
    order.splice(to, 0, line);
    show();
  }

  // The line follows the pointer row by row.
  function drag(node, line) {
    let held = false;
    node.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.target.closest("button")) return;
      if (event.pointerType !== "mouse" && !event.target.closest(".score__grip")) return; // a finger may be scrolling
      held = true;
      node.setPointerCapture(event.pointerId);
      node.classList.add("held");
      event.preventDefault();
    });
    node.addEventListener("pointermove", (event) => {
      if (!held) return;
      const to = Math.floor((event.clientY - list.getBoundingClientRect().top) / ROW);
      put(line, Math.min(Math.max(to, 0), order.length - 1));
    });
    for (const end of ["pointerup", "pointercancel"]) {
      node.addEventListener(end, () => {
        held = false;
        node.classList.remove("held");
      });
    }
  }

  function show() {
    const found = data.orders[order.join(" ")];
    const way = trace(order);
    order.forEach((line, place) => {
      const { node, said, up, down } = rows.get(line);
      const here = way.rows[place];
      // Only what moves is touched: a pointer may be holding the element.
      if (list.children[place] !== node) {
        if (node.classList.contains("held")) {
          const other = list.children[place];
          const after = [...list.children].indexOf(node) < place;
          if (after) node.before(other);
          else node.after(other);
        } else list.insertBefore(node, list.children[place] ?? null);
      }
      node.classList.toggle("broken", here?.broken ?? false);
      node.classList.toggle("unreached", here === undefined);
      said.textContent = here === undefined ? _("is not reached") : _(".grad is then: {state}", { state: names[here.state] });
      up.setAttribute("aria-disabled", String(place === 0));
      down.setAttribute("aria-disabled", String(place === order.length - 1));
    });
    draw(way);
    const kind = found === "right" ? "right" : way.stopped ? "error" : "silent";
    const word = { right: _("Trains rightly."), error: _("Raises an error."), silent: _("Runs without an error, and is wrong.") }[kind];
    verdict.dataset.kind = kind;
    verdict.replaceChildren(html("strong", {}, `${{ right: "✓", error: "!", silent: "✗" }[kind]} ${word}`), " ", data.findings[found][figure.dataset.lang]);
  }

  function draw(way) {
    const x = (state) => `${12.5 + 25 * STATES.indexOf(state)}%`;
    const y = (place) => ROW * (place + 0.5);
    const lines = STATES.map((state) => svg("line", { class: "rail", x1: x(state), x2: x(state), y1: 0, y2: "100%" }));
    const dots = [];
    let [state, height] = [way.start, 4]; // what the batch before left, above the first line
    dots.push(svg("circle", { class: "dot", cx: x(state), cy: height, r: 4 }));
    way.rows.forEach((row, place) => {
      lines.push(svg("line", { class: "way", x1: x(state), x2: x(row.state), y1: height, y2: y(place) }));
      [state, height] = [row.state, y(place)];
      if (row.broken) {
        const cross = svg("svg", { class: "wrong", x: x(state), y: height, overflow: "visible" },
          svg("circle", { r: 10 }), svg("path", { d: "M-4-4L4 4M4-4L-4 4" }));
        dots.push(cross);
      } else if (row.line === "step") {
        dots.push(svg("svg", { class: "read", x: x(state), y: height, overflow: "visible" },
          svg("circle", { r: 10 }), svg("path", { d: "M-4.5 0.5L-1 4L5-3.5" })));
      } else dots.push(svg("circle", { class: "dot", cx: x(state), cy: height, r: 5 }));
    });
    drawing.replaceChildren(...lines, ...dots);
  }

  function another() {
    const silent = Object.keys(data.orders).filter((key) => key.split(" ").length === LINES.length
      && !["right", "no_loss", "weights_changed"].includes(data.orders[key]) && key !== order.join(" "));
    order = silent[Math.floor(Math.random() * silent.length)].split(" ");
    show();
  }

  function reset() {
    order = [...LINES];
    show();
  }

  const heads = html("div", { class: "score__states", "aria-hidden": "true" },
    ...STATES.map((state) => html("span", { class: `is-${state}` }, names[state])));
  figure.prepend(
    html("div", { class: "score" },
      html("p", { class: "score__head" }, _("Move the lines")), html("p", { class: "score__head" }, html("code", {}, ".grad")),
      heads, list, drawing),
    verdict,
    html("div", { class: "controls" }, button(_("The right order"), null, reset), button(_("One that is silently wrong"), null, another)),
  );
  show();
}

if (figure !== null) whenNear(figure, build);
