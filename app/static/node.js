// Making elements, for the figures of the chapter.

export function html(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null) node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export function button(label, icon, action) {
  const node = html("button", { type: "button", class: "control", "aria-label": label, title: label });
  if (icon !== null) node.append(picture(icon));
  else node.append(label);
  node.addEventListener("click", action);
  return node;
}

export function picture(path) {
  return svg("svg", { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": "true" }, svg("path", { d: path }));
}

// The figure's data, fetched when the figure comes near the window.
export function whenNear(figure, draw) {
  const observer = new IntersectionObserver(async (entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    const answer = await fetch(figure.dataset.data);
    if (answer.ok) draw(await answer.json()); // otherwise the words under it say the same
  }, { rootMargin: "600px" });
  observer.observe(figure);
}
