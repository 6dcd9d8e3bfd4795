// The regions that a network gives to the classes, painted on a canvas, and the controls that play them epoch by epoch.
// How the frames are written is said in chapter/spiral.py.

import { button, html, picture } from "./node.js";
import { _ } from "./words.js";

const ICONS = { play: "M5 3l12 7-12 7z", pause: "M5 3h4v14H5zM11 3h4v14h-4z", back: "M15 3L6 10l9 7zM4 3h2v14H4z", on: "M5 3l9 7-9 7zM14 3h2v14h-2z" };
const SPEEDS = { "½×": 800, "1×": 400, "2×": 200, "4×": 100 }; // milliseconds an epoch
const SHADES = [0.2, 0.36, 0.52, 0.68]; // how strongly a cell is painted, from unsure to sure

export function unpacked(frames) {
  const whole = [];
  for (const frame of frames) {
    const flat = frame.replace(/(.)(\d+)/g, (run, letter, times) => letter.repeat(Number(times)));
    const before = whole.at(-1) ?? "";
    whole.push(flat.replace(/\./g, (dot, place) => before[place]));
  }
  return whole;
}

// --- Painting

// A custom property is what was written; an element's colour is what it comes to in this theme. These stand beside what is painted.
export function swatches() {
  return ["arm-0", "arm-1", "arm-2", "on-paper"].map((name) => html("span", { class: name, hidden: "" }));
}

export function paint(canvas, { cells: side, points, extent, letters, levels }, frame, colouring) {
  const colours = colouring.map((swatch) => getComputedStyle(swatch).color);
  const [paper, ink] = [colours[3], getComputedStyle(canvas).color];
  const context = canvas.getContext("2d");
  const size = canvas.width;
  const cell = size / side;
  context.clearRect(0, 0, size, size);
  for (let i = 0; i < frame.length; i++) {
    const letter = letters.indexOf(frame[i]);
    context.globalAlpha = SHADES[letter % levels];
    context.fillStyle = colours[Math.floor(letter / levels)];
    context.fillRect((i % side) * cell, Math.floor(i / side) * cell, cell, cell);
  }
  context.globalAlpha = 1;
  borders(context, frame, side, cell, ink, (i) => Math.floor(letters.indexOf(frame[i]) / levels));
  const place = (value) => ((value + extent) / (2 * extent)) * size;
  context.strokeStyle = paper;
  context.lineWidth = 1;
  for (const [x, y, arm] of points) mark(context, place(x), place(-y), arm, colours[arm]);
}

// A line where two regions meet: colours alone would not do.
function borders(context, frame, side, cell, colour, arm) {
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  for (let i = 0; i < frame.length; i++) {
    const [column, row] = [i % side, Math.floor(i / side)];
    if (column + 1 < side && arm(i) !== arm(i + 1)) {
      context.moveTo((column + 1) * cell, row * cell);
      context.lineTo((column + 1) * cell, (row + 1) * cell);
    }
    if (row + 1 < side && arm(i) !== arm(i + side)) {
      context.moveTo(column * cell, (row + 1) * cell);
      context.lineTo((column + 1) * cell, (row + 1) * cell);
    }
  }
  context.stroke();
}

// Each arm has a shape of its own: circle, square, triangle.
function mark(context, x, y, arm, colour) {
  context.fillStyle = colour;
  context.beginPath();
  if (arm === 0) context.arc(x, y, 4.5, 0, 2 * Math.PI);
  else if (arm === 1) context.rect(x - 4, y - 4, 8, 8);
  else {
    context.moveTo(x, y - 5.5);
    context.lineTo(x + 5, y + 4);
    context.lineTo(x - 5, y + 4);
    context.closePath();
  }
  context.fill();
  context.stroke();
}

// --- Playing

const still = matchMedia("(prefers-reduced-motion: reduce)");

// Calls `show(frame)` with the number of the frame to be seen; `epochs` are the epochs of the frames.
export function player(epochs, show) {
  const last = epochs.length - 1;
  let now = last;
  let timer = null;

  const slider = html("input", { type: "range", min: 0, max: last, step: 1, "aria-label": _("Epoch") });
  const speed = html("select", { "aria-label": _("Speed") }, ...Object.keys(SPEEDS).map((name) => html("option", {}, name)));
  speed.value = "1×";
  const play = button(_("Play"), ICONS.play, () => (timer === null ? start() : stop()));

  function turn(frame) {
    now = Math.min(Math.max(frame, 0), last);
    slider.value = now;
    slider.setAttribute("aria-valuetext", _("Epoch {epoch} of {last}", { epoch: epochs[now], last: epochs[last] }));
    show(now);
  }

  function start() {
    if (now === last) turn(0);
    label(_("Pause"), ICONS.pause);
    tick();
  }

  function tick() {
    timer = setTimeout(() => {
      turn(now + 1);
      if (now < last && slider.isConnected) tick();
      else stop();
    }, SPEEDS[speed.value]);
  }

  function stop() {
    clearTimeout(timer);
    timer = null;
    label(_("Play"), ICONS.play);
  }

  function label(name, icon) {
    play.setAttribute("aria-label", name);
    play.title = name;
    play.replaceChildren(picture(icon));
  }

  function go(frame) {
    stop();
    turn(frame);
  }

  slider.addEventListener("input", () => go(Number(slider.value)));
  // Who asked for less motion steps through the epochs.
  const motion = () => {
    stop();
    play.hidden = speed.hidden = still.matches;
  };
  still.addEventListener("change", motion);
  motion();

  // The colours are those of the theme, and it may change.
  const again = () => {
    if (slider.isConnected) turn(now);
  };
  new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);

  const node = html("div", { class: "controls", role: "group", "aria-label": _("The animation") },
    play, button(_("One epoch back"), ICONS.back, () => go(now - 1)), button(_("One epoch on"), ICONS.on, () => go(now + 1)), slider, speed);
  return { node, again };
}
