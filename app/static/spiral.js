// The regions a network gives to the arms of the spiral after each epoch: the right loop beside one with a mistake.

import { html, whenNear } from "./node.js";
import { paint, player, swatches, unpacked } from "./regions.js";
import { _ } from "./words.js";

const figure = document.getElementById("figure-spiral");
const colouring = swatches();

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
    paint(this.canvas, this.film, this.run.cells[epoch], colouring);
    const values = {
      epoch, accuracy: Math.round(this.run.accuracy[epoch] * 100), loss: epoch ? this.run.loss[epoch - 1].toFixed(2) : "–",
    };
    const sentence = _("Epoch {epoch}: {accuracy} % of the points in their own region, loss {loss}", values);
    this.said.textContent = sentence;
    this.canvas.setAttribute("aria-label", `${this.run.title[figure.dataset.lang]}. ${sentence}`);
  }
}

function build(film) {
  const { right, ...mistakes } = film.runs;
  const choice = html("select", { id: "spiral-mistake" },
    ...Object.entries(mistakes).map(([name, run]) => html("option", { value: name }, run.title[figure.dataset.lang])));
  const planes = [new Plane(film), new Plane(film)];
  planes[0].choose(right);
  planes[1].choose(mistakes[choice.value]);
  const playing = player(right.frames.map((frame, epoch) => epoch), (epoch) => planes.forEach((plane) => plane.show(epoch)));
  choice.addEventListener("change", () => {
    planes[1].choose(mistakes[choice.value]);
    playing.again();
  });
  figure.append(...colouring);
  figure.prepend(html("p", { class: "beside" }, html("label", { for: choice.id }, _("Beside the right loop:")), choice),
    html("div", { class: "planes" }, ...planes.map((plane) => plane.node)), playing.node);
  playing.again();
}

if (figure !== null) whenNear(figure, build);
