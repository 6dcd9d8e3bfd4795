// Figures of a verdict: kind -> drawing. Each is an SVG with a name and a description, and beside it the same as text.
// Whatever a colour says, a shape, a dash or a sign says too. An unknown kind stays what the server sent: its data.

import { paint, player, swatches, unpacked } from "./regions.js";
import { _ } from "./words.js";

const CHIP = { width: 90, height: 27, gap: 6 };
const DASHES = ["", "7 4", "2 3", "10 3 2 3"];

// --- SVG

function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children.filter((child) => child !== null));
  return node;
}

function html(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

let drawn = 0;

function drawing(width, height, title, description, ...children) {
  const id = `figure-${++drawn}`;
  return svg("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-labelledby": `${id}-title ${id}-description`,
  }, svg("title", { id: `${id}-title` }, title), svg("desc", { id: `${id}-description` }, description), ...children);
}

function label(x, y, text, attributes = {}) {
  return svg("text", { x, y, ...attributes }, visible(text));
}

// As judge/text.py: what would not be seen, or would turn the reading direction, is spelled out.
export function visible(text) {
  return String(text).replace(/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.codePointAt(0).toString(16).padStart(4, "0")}`);
}

function number(value) {
  return Number.isFinite(value) ? String(Number(value.toPrecision(3))) : "–";
}

// --- events: what ran in each step, the learner's beside the expected

// Rows [mine, expected] in order; what only one side has stands alone in its row (longest common subsequence).
export function align(mine, expected) {
  const common = Array.from({ length: mine.length + 1 }, () => new Array(expected.length + 1).fill(0));
  for (let i = mine.length - 1; i >= 0; i--) {
    for (let j = expected.length - 1; j >= 0; j--) {
      common[i][j] = mine[i] === expected[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const rows = [];
  let i = 0;
  let j = 0;
  while (i < mine.length || j < expected.length) {
    if (i < mine.length && j < expected.length && mine[i] === expected[j]) rows.push([mine[i++], expected[j++]]);
    else if (j >= expected.length || (i < mine.length && common[i + 1][j] >= common[i][j + 1])) rows.push([mine[i++], null]);
    else rows.push([null, expected[j++]]);
  }
  return rows;
}

function chip(x, y, name, kind) {
  const sign = { extra: "+ ", missing: "", plain: "" }[kind];
  const { width, height } = CHIP;
  return svg("g", { class: `chip chip--${kind}`, transform: `translate(${x} ${y})` },
    svg("rect", { x: 1, y: 1, width: width - 2, height: height - 2, rx: 4 }),
    label(width / 2, height / 2 + 4.5, sign + name, { "text-anchor": "middle" }));
}

function sideBySide(mine, expected) {
  return Array.from({ length: Math.max(mine.length, expected.length) }, (_unused, row) => [mine[row] ?? null, expected[row] ?? null]);
}

function stepDrawing(mine, expected, index, passed) {
  const rows = passed ? sideBySide(mine, expected) : align(mine, expected);
  const second = CHIP.width + 12;
  const top = 48;
  const width = second + CHIP.width;
  const title = _("Step {n}", { n: index + 1 });
  const parts = rows.flatMap(([own, right], row) => {
    const y = top + row * (CHIP.height + CHIP.gap);
    return [
      own !== null ? chip(0, y, own, right === null && !passed ? "extra" : "plain")
        : passed ? null : chip(0, y, _("missing"), "missing"),
      right !== null ? chip(second, y, right, "plain") : null,
    ];
  });
  return drawing(width, top + rows.length * (CHIP.height + CHIP.gap), title, stepText(mine, expected, index),
    label(0, 14, title, { "font-weight": 600 }),
    label(0, 38, _("Yours"), { class: "quiet-text" }), label(second, 38, _("Right order"), { class: "quiet-text" }), ...parts);
}

function stepText(mine, expected, index) {
  const list = (names) => (names.length > 0 ? names.map(visible).join(", ") : _("nothing"));
  return _("Step {n}. Yours: {mine}. Right order: {expected}.", { n: index + 1, mine: list(mine), expected: list(expected) });
}

// Several orders are right. Where the check passed, one that differs is no difference to mark.
function events({ learner, expected }, _room, passed) {
  const steps = Array.from({ length: Math.max(learner.length, expected.length) }, (_unused, index) =>
    [learner[index] ?? [], expected[index] ?? [], index]);
  return {
    caption: passed ? _("What ran in each step, beside one right order.")
      : _("What ran in each step, beside one right order. A plus: not in that order here. A dashed box: missing from yours."),
    picture: html("div", { class: "steps" }, ...steps.map((step) => stepDrawing(...step, passed))),
    text: steps.map((step) => stepText(...step)),
  };
}

// --- grid: batches as rows of cells, real or padding

function share(batches) {
  const cells = batches.flat(2);
  return cells.length === 0 ? 0 : cells.filter((cell) => !cell).length / cells.length;
}

function panel(batches, title, room) {
  const columns = Math.max(1, ...batches.flat().map((row) => row.length));
  const size = Math.max(4, Math.min(14, Math.floor(room / columns)));
  const parts = [label(0, 14, title, { "font-weight": 600 })];
  let y = 26;
  for (const batch of batches) {
    for (const row of batch) {
      row.forEach((cell, column) => {
        const x = column * size;
        const square = { x: x + 0.5, y: y + 0.5, width: size - 1.5, height: size - 1.5 };
        parts.push(cell ? svg("rect", { class: "cell--real", ...square }) : svg("rect", { class: "cell--padding", ...square }));
        if (!cell) parts.push(svg("path", { class: "cell__cross", d: `M${x + 1} ${y + size - 2}l${size - 3} ${3 - size}` }));
      });
      y += size;
    }
    y += size;
  }
  const text = _("{title}: {percent} % padding", { title: visible(title), percent: number(100 * share(batches)) });
  parts.push(label(0, y + 6, _("{percent} % padding", { percent: number(100 * share(batches)) }), { class: "quiet-text" }));
  return { text, picture: drawing(Math.max(columns * size, 120), y + 12, title, text, ...parts) };
}

function grid({ before, after, labels = [] }, room) {
  const panels = [panel(before, labels[0] ?? _("Before"), room), panel(after, labels[1] ?? _("After"), room)];
  return {
    caption: _("Each row is a sample, each block a batch. Filled cells are real tokens, crossed ones padding."),
    picture: html("div", { class: "steps" }, ...panels.map(({ picture }) => picture)),
    text: panels.map(({ text }) => text),
  };
}

// --- lines and histogram: on common axes

function ticks(low, high, count) {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
  // Counted, not added up: where low and high differ in their last digits, a step added to a tick may leave it as it is.
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.ceil(count) + 2 }, (_, index) => (first + index) * step).filter((tick) => tick <= high + step * 1e-9);
}

function axes(room, [xLow, xHigh], [yLow, yHigh], xLabel, yLabel, yTicks = ticks(yLow, yHigh, 4).map((tick) => [tick, tick])) {
  const width = Math.min(room, 560);
  const height = 250;
  const box = { left: 52, right: width - 10, top: 26, bottom: height - 42 };
  const x = (value) => box.left + ((value - xLow) / (xHigh - xLow || 1)) * (box.right - box.left);
  const y = (value) => box.bottom - ((value - yLow) / (yHigh - yLow || 1)) * (box.bottom - box.top);
  const parts = [
    svg("path", { class: "axis", d: `M${box.left} ${box.top}V${box.bottom}H${box.right}` }),
    label(box.left - 44, 14, yLabel, { class: "quiet-text" }),
    label(box.right, height - 6, xLabel, { class: "quiet-text", "text-anchor": "end" }),
    ...ticks(xLow, xHigh, width / 90).map((tick) => label(x(tick), box.bottom + 17, number(tick), { class: "quiet-text", "text-anchor": "middle" })),
    ...yTicks.map(([at, tick]) => label(box.left - 7, y(at) + 4, number(tick), { class: "quiet-text", "text-anchor": "end" })),
  ];
  return { width, height, box, x, y, parts };
}

function finite(values) {
  return values.filter((value) => typeof value === "number" && Number.isFinite(value));
}

function range(values) {
  const numbers = finite(values);
  if (numbers.length === 0) return [0, 1];
  const low = Math.min(...numbers);
  const high = Math.max(...numbers);
  const one = high - low <= Math.abs(high) * 1e-9; // but for rounding
  const margin = (one ? Math.abs(high) * 0.1 : (high - low) * 0.06) || 1;
  return [low >= 0 ? Math.max(0, low - margin) : low - margin, high + margin];
}

function path(values, x, y) {
  let pen = "M";
  return values.map((value, index) => {
    if (typeof value !== "number" || !Number.isFinite(value)) {
      pen = "M"; // a gap, where there is no number
      return "";
    }
    const command = `${pen}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = "L";
    return command;
  }).join("");
}

function legend(series, width, top) {
  return series.map(({ label: name, dashed }, index) => {
    const y = top + index * 20;
    return svg("g", {},
      svg("path", { class: `series series--${index % 4}`, d: `M52 ${y}h30`, "stroke-dasharray": dash(index, dashed) }),
      label(90, y + 4.5, name));
  });
}

function dash(index, dashed) {
  return dashed ? DASHES[1] : DASHES[index % DASHES.length];
}

function lines({ series, x_label: xLabel = "", y_label: yLabel = "", marks = [], threshold = null }, room) {
  const longest = Math.max(2, ...series.map(({ values }) => values.length));
  const all = series.flatMap(({ values }) => values);
  const { width, height, box, x, y, parts } = axes(room, [0, longest - 1], range([...all, threshold]), xLabel, yLabel);
  const text = series.map(({ label: name, values }) => {
    const numbers = finite(values);
    return _("{label}: from {first} to {last}, lowest {low}, highest {high}", {
      label: visible(name), first: number(numbers[0]), last: number(numbers.at(-1)),
      low: number(Math.min(...numbers)), high: number(Math.max(...numbers)),
    });
  });
  if (threshold !== null) text.push(_("Threshold: {value}", { value: number(threshold) }));
  text.push(...marks.map((mark) => `${visible(mark.label)}: ${number(mark.x)}`));
  const picture = drawing(width, height + series.length * 20, visible(yLabel || series.map(({ label: name }) => name).join(", ")),
    text.join(". "), ...parts,
    ...marks.flatMap((mark) => [
      svg("path", { class: "event", d: `M${x(mark.x)} ${box.top}V${box.bottom}` }),
      label(x(mark.x) + 4, box.top + 10, mark.label, { class: "quiet-text" }),
    ]),
    threshold === null ? null : svg("path", { class: "threshold", d: `M${box.left} ${y(threshold)}H${box.right}` }),
    threshold === null ? null : label(box.right, y(threshold) - 5, _("Threshold: {value}", { value: number(threshold) }), { "text-anchor": "end" }),
    ...series.map(({ values, dashed }, index) => svg("path", {
      class: `series series--${index % 4}`, d: path(values, x, y), "stroke-dasharray": dash(index, dashed),
    })),
    ...legend(series, width, height + 10));
  return { caption: "", picture, text };
}

function histogram({ values, x_label: xLabel = "", threshold = null }, room) {
  const numbers = finite(values);
  const [low, high] = range([...numbers, threshold]);
  const count = Math.max(5, Math.min(30, Math.ceil(Math.sqrt(numbers.length) * 1.5)));
  const bins = new Array(count).fill(0);
  for (const value of numbers) bins[Math.min(count - 1, Math.floor(((value - low) / (high - low || 1)) * count))]++;
  const { width, height, box, x, y, parts } = axes(room, [low, high], [0, Math.max(1, ...bins)], xLabel, _("how many"));
  const edge = (index) => low + ((high - low) * index) / count;
  const text = bins.flatMap((amount, index) => amount === 0 ? [] : [
    _("{low} to {high}: {count}", { low: number(edge(index)), high: number(edge(index + 1)), count: amount }),
  ]);
  const picture = drawing(width, height, visible(xLabel), text.join(". "), ...parts,
    ...bins.map((amount, index) => svg("rect", {
      class: "bar", x: x(edge(index)) + 0.5, width: Math.max(1, x(edge(index + 1)) - x(edge(index)) - 1),
      y: y(amount), height: box.bottom - y(amount),
    })),
    threshold === null ? null : svg("path", { class: "threshold", d: `M${x(threshold)} ${box.top}V${box.bottom}` }),
    threshold === null ? null : label(x(threshold) + 5, box.top + 10, _("Threshold: {value}", { value: number(threshold) })));
  return { caption: "", picture, text };
}

// --- norms: the gradient's length step by step and, beside it on the same logarithmic axis, how many steps have which

const SIDE = 110; // of the bars

function logTicks(low, high) {
  const found = [];
  for (let power = Math.floor(low); power <= high; power++) {
    for (const factor of high - low > 2 ? [1] : high - low > 1 ? [1, 3] : [1, 2, 3, 5, 7]) {
      const at = power + Math.log10(factor);
      if (at >= low && at <= high) found.push([at, factor * 10 ** power]);
    }
  }
  return found;
}

function median(values) {
  const sorted = finite(values).sort((one, other) => one - other);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// Where the run has settled; NaN where no norm of it is finite.
function middle(values) {
  return median(values.slice(Math.floor(values.length / 2)));
}

function normsText(values, threshold, spikes, odd) {
  const numbers = finite(values);
  const text = [_("{count} steps, norms from {low} to {high}; the median of the second half is {median}", {
    count: values.length, low: number(Math.min(...numbers)), high: number(Math.max(...numbers)),
    median: number(middle(values)),
  })];
  if (threshold !== null) {
    text.push(_("Threshold: {value}", { value: number(threshold) }));
    text.push(_("{count} of {total} steps are above it", {
      count: numbers.filter((value) => value > threshold).length + odd.length, total: values.length,
    }));
  }
  if (spikes.length > 0) text.push(_("Spikes: {steps}", { steps: spikes.join(", ") }));
  if (odd.length > 0) text.push(_("Not finite: {steps}", { steps: odd.join(", ") }));
  return text;
}

function norms({ norms: values, threshold = null, spikes = [] }, room) {
  const log = (value) => (value > 0 ? Math.log10(value) : null);
  const heights = values.map((value) => (typeof value === "number" ? log(value) : null));
  const line = threshold === null ? null : log(threshold);
  const known = finite([...heights, line]);
  const [low, high] = known.length > 0 ? [Math.min(...known) - 0.08, Math.max(...known) + 0.12] : [-1, 1];
  const plotRoom = Math.max(150, Math.min(room, 560) - SIDE);
  const plot = axes(plotRoom, [0, Math.max(1, values.length - 1)], [low, high], _("step"), _("norm"), logTicks(low, high));
  const { width, height, box, x, y } = plot;
  const odd = values.flatMap((value, step) => (value === null ? [step] : []));
  const count = 18;
  const bins = new Array(count).fill(0);
  for (const value of finite(heights)) bins[Math.min(count - 1, Math.floor(((value - low) / (high - low)) * count))]++;
  const thick = (box.bottom - box.top) / count;
  const text = normsText(values, threshold, spikes, odd);
  const second = x(Math.floor(values.length / 2));
  const picture = drawing(width + SIDE, height, _("The gradient's norm at each step"), text.join(". "), ...plot.parts,
    svg("path", { class: "event", d: `M${second} ${box.top}V${box.bottom}` }),
    svg("path", { class: "series series--0 series--thin", d: path(heights, x, y) }),
    ...bins.map((amount, index) => (amount === 0 ? null : svg("rect", {
      class: "bar", x: width, width: (amount / Math.max(...bins)) * (SIDE - 10), y: box.bottom - (index + 1) * thick + 0.5,
      height: thick - 1,
    }))),
    ...spikes.filter((step) => Number.isFinite(heights[step] ?? NaN)).map((step) =>
      svg("path", { class: "spike", d: `M${x(step)} ${y(heights[step]) - 6}l6 6l-6 6l-6 -6z` })),
    ...odd.map((step) => svg("path", { class: "spike", d: `M${x(step) - 4} ${box.top - 4}l8 8m0 -8l-8 8` })),
    line === null ? null : svg("path", { class: "threshold", d: `M${box.left} ${y(line)}H${width + SIDE - 10}` }),
    line === null ? null : label(width + SIDE - 10, 14, _("Threshold: {value}", { value: number(threshold) }), { "text-anchor": "end" }));
  const caption = [
    _("The gradient's norm at each step, on a logarithmic axis; on the right, how many steps have which norm."),
    spikes.length + odd.length > 0
      ? _("A diamond is a spike, a cross a norm that is not finite; the second half begins at the dotted line.")
      : _("The second half begins at the dotted line."),
  ];
  return { caption: caption.join(" "), picture, text };
}

function judgedNorms(data, room) {
  const shown = norms(data, room);
  if ((data.threshold ?? null) !== null) return shown;
  return { ...shown, caption: shown.caption + " " + _("Your threshold is drawn here once choose_threshold is written.") };
}

// The same, and the reader moves the factor that makes a threshold of the median.
function studiedNorms({ norms: values, factor }, room) {
  if (!Array.isArray(values) || values.length === 0) {
    const none = _("There are no norms to draw: gradient_norms must return a list of numbers, one for each step.");
    return { caption: "", picture: html("p", {}, none), text: [] };
  }
  const still = norms({ norms: values }, room);
  const median = middle(values);
  if (!Number.isFinite(median)) {
    const none = _("No norm of the second half is finite, so there is no median, and no threshold.");
    return { ...still, picture: html("div", {}, html("p", {}, none), still.picture) };
  }
  const slider = html("input", { type: "range", min: 0.5, max: 6, step: 0.1, value: factor });
  const said = html("output");
  const place = html("div");
  const turn = () => {
    const threshold = Number(slider.value) * median;
    const clipped = values.filter((value) => value === null || value > threshold).length;
    said.textContent = _("Factor {factor} × median {median} = threshold {threshold}: {count} of {total} steps would be clipped, {percent} %.", {
      factor: number(Number(slider.value)), median: number(median), threshold: number(threshold),
      count: clipped, total: values.length, percent: number((100 * clipped) / values.length),
    });
    place.replaceChildren(norms({ norms: values, threshold }, room).picture);
  };
  slider.addEventListener("input", turn);
  turn();
  const label = html("label", { class: "factor" }, html("span", {}, _("Factor")), slider);
  return { ...still, picture: html("div", {}, label, said, place) };
}

// --- regions: where a network sees each class, to be played epoch by epoch

function regions({ epochs, accuracy, val_loss: losses, best_epoch: best, frames, ...film }) {
  const title = _("Decision regions");
  const sentences = epochs.map((epoch, index) => _("Epoch {epoch}: {accuracy} % of the points in their own region, loss {loss}", {
    epoch, accuracy: Math.round(accuracy[index] * 100), loss: number(losses[index]),
  }));
  const whole = unpacked(frames.map((rows) => rows.join("")));
  const colouring = swatches();
  const canvas = html("canvas", { role: "img", width: 480, height: 480 });
  const said = html("p", { class: "plane__said" });
  const playing = player(epochs, (index) => {
    paint(canvas, film, whole[index], colouring);
    said.textContent = sentences[index];
    canvas.setAttribute("aria-label", `${title}. ${sentences[index]}`);
  });
  queueMicrotask(playing.again); // it has no colours before it stands on the page
  return {
    caption: _("Where your network sees each class, after one epoch and the next; the loss is that of the validation split."),
    picture: html("div", { class: "regions" }, canvas, said, playing.node, ...colouring),
    text: [...sentences, ...(Number.isInteger(best) ? [_("Best epoch: {epoch}", { epoch: best })] : [])],
  };
}

// --- The registry

const kinds = {
  events, grid, lines, histogram, regions,
  norms: (data, room) => ("factor" in data ? studiedNorms : judgedNorms)(data, room),
};

export function drawFigures(root) {
  for (const figure of root.querySelectorAll(".figure:not([data-drawn])")) {
    const draw = Object.hasOwn(kinds, figure.dataset.kind) ? kinds[figure.dataset.kind] : null;
    if (draw === null) continue;
    let shown;
    try {
      shown = draw(JSON.parse(figure.dataset.figure), Math.max(240, figure.clientWidth || 560),
        figure.closest(".check--passed") !== null);
    } catch (error) {
      console.warn("a figure's data does not fit its kind", figure.dataset.kind, error);
      continue; // the data stays visible as text
    }
    figure.dataset.drawn = "";
    figure.replaceChildren(
      ...(shown.caption ? [html("figcaption", { class: "note" }, shown.caption)] : []),
      html("div", { class: "figure__drawing", tabindex: "0", role: "group", "aria-label": _("Figure") }, shown.picture),
      ...(shown.text.length === 0 ? [] : [html("details", {}, html("summary", {}, _("As text")),
        html("ul", {}, ...shown.text.map((line) => html("li", {}, line))))]),
    );
  }
}
