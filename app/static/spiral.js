// The regions a network gives to the arms of the spiral after each epoch: the right loop beside one with a mistake.
// How the frames are written is said in chapter/spiral.py.

import { button, html, picture, whenNear } from "./node.js";
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

const figure = document.getElementById("figure-spiral");
const still = matchMedia("(prefers-reduced-motion: reduce)");

// A custom property is what was written; an element's colour is what it comes to in this theme.
const swatches = ["arm-0", "arm-1", "arm-2", "on-paper"].map((name) => html("span", { class: name, hidden: "" }));

class Plane {
  constructor(film) {
    this.film = film;
    this.title = html("p", { class: "plane__title" });
    this.canvas = html("canvas", { role: "img", width: 480, height: 480 });
    this.said = html("p", { class: "plane__said" });
    this.node = html("div", { class: "plane" }, this.title, this.canvas, this.said);
  }

  choose(run) {
    this.run = run;
    this.title.textContent = run.title[figure.dataset.lang];
    run.cells ??= unpacked(run.frames);
  }

  show(epoch) {
    const { cells: side, points, extent, letters, levels } = this.film;
    const [paper, ink] = [getComputedStyle(swatches[3]).color, getComputedStyle(figure).color];
    const colours = swatches.map((swatch) => getComputedStyle(swatch).color);
    const context = this.canvas.getContext("2d");
    const size = this.canvas.width;
    const cell = size / side;
    const frame = this.run.cells[epoch];
    context.clearRect(0, 0, size, size);
    for (let i = 0; i < frame.length; i++) {
      const letter = letters.indexOf(frame[i]);
      context.globalAlpha = SHADES[letter % levels];
      context.fillStyle = colours[Math.floor(letter / levels)];
      context.fillRect((i % side) * cell, Math.floor(i / side) * cell, cell, cell);
    }
    context.globalAlpha = 1;
    this.borders(context, frame, side, cell, ink);
    const place = (value) => ((value + extent) / (2 * extent)) * size;
    context.strokeStyle = paper;
    context.lineWidth = 1;
    for (const [x, y, arm] of points) mark(context, place(x), place(-y), arm, colours[arm]);
    const values = {
      epoch, accuracy: Math.round(this.run.accuracy[epoch] * 100), loss: epoch ? this.run.loss[epoch - 1].toFixed(2) : "–",
    };
    const sentence = _("Epoch {epoch}: {accuracy} % of the points in their own region, loss {loss}", values);
    this.said.textContent = sentence;
    this.canvas.setAttribute("aria-label", `${this.run.title[figure.dataset.lang]}. ${sentence}`);
  }

  // A line where two regions meet: colours alone would not do.
  borders(context, frame, side, cell, colour) {
    const arm = (i) => Math.floor(this.film.letters.indexOf(frame[i]) / this.film.levels);
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

function build(film) {
  const { right, ...mistakes } = film.runs;
  const choice = html("select", { id: "spiral-mistake" },
    ...Object.entries(mistakes).map(([name, run]) => html("option", { value: name }, run.title[figure.dataset.lang])));
  const planes = [new Plane(film), new Plane(film)];
  const last = right.frames.length - 1;
  let epoch = last;
  let timer = null;

  const slider = html("input", { type: "range", min: 0, max: last, step: 1, "aria-label": _("Epoch") });
  const speed = html("select", { id: "spiral-speed", "aria-label": _("Speed") },
    ...Object.keys(SPEEDS).map((name) => html("option", {}, name)));
  speed.value = "1×";
  const play = button(_("Play"), ICONS.play, () => (timer === null ? start() : stop()));

  function show(now) {
    epoch = Math.min(Math.max(now, 0), last);
    slider.value = epoch;
    slider.setAttribute("aria-valuetext", _("Epoch {epoch} of {last}", { epoch, last }));
    for (const plane of planes) plane.show(epoch);
  }

  function start() {
    if (epoch === last) show(0);
    label(_("Pause"), ICONS.pause);
    tick();
  }

  function tick() {
    timer = setTimeout(() => {
      show(epoch + 1);
      if (epoch < last) tick();
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

  function go(now) {
    stop();
    show(now);
  }

  slider.addEventListener("input", () => go(Number(slider.value)));
  choice.addEventListener("change", () => {
    planes[1].choose(mistakes[choice.value]);
    show(epoch);
  });
  // Who asked for less motion steps through the epochs.
  const motion = () => {
    stop();
    play.hidden = speed.hidden = still.matches;
  };
  still.addEventListener("change", motion);
  motion();

  planes[0].choose(right);
  planes[1].choose(mistakes[choice.value]);
  const controls = html("div", { class: "controls", role: "group", "aria-label": _("The animation") },
    play, button(_("One epoch back"), ICONS.back, () => go(epoch - 1)), button(_("One epoch on"), ICONS.on, () => go(epoch + 1)), slider, speed);
  figure.append(...swatches);
  figure.prepend(html("p", { class: "beside" }, html("label", { for: choice.id }, _("Beside the right loop:")), choice),
    html("div", { class: "planes" }, ...planes.map((plane) => plane.node)), controls);
  show(last);

  const again = () => show(epoch);
  new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
}

if (figure !== null) whenNear(figure, build);
