// What a section can do more with a script: remember where the reader is, print its folded answers.

import { _ } from "./words.js";

const article = document.getElementById("section");
const KEY = "five-lines:reading";

// --- Where the reader is: the last heading above the middle of the window, kept in this browser

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // storage is switched off, or holds something else
  }
}

function keep(place) {
  try {
    localStorage.setItem(KEY, JSON.stringify(place));
  } catch {
    // As above, or full.
  }
}

function headingRead() {
  const headings = [...article.querySelectorAll("h2[id], h3[id]")];
  return headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 2);
}

// "You were reading: ...", where that is not what the reader sees anyway.
function offer(place) {
  const line = document.getElementById("go-on");
  if (typeof place.section !== "string" || !/^[\w-]+$/.test(place.section)) return;
  const link = line.querySelector("a");
  const lang = location.pathname.split("/")[1];
  const anchor = /^[\w-]+$/.test(place.anchor ?? "") ? `#${place.anchor}` : "";
  link.href = `/${lang}/chapter/${place.section}${anchor}`;
  if (place.lang === lang) link.textContent = [place.title, place.heading].filter(Boolean).join(" · ");
  else link.textContent = _("the same place in this language");
  line.hidden = false;
}

function follow() {
  const { section, title } = article.dataset;
  const before = kept();
  if (before.section === section && before.anchor && location.hash === "" && scrollY < innerHeight / 2) offer(before);
  const languageLinks = [...document.querySelectorAll("[data-language]")].map((link) => [link, link.getAttribute("href")]);
  let waiting = false;

  function look() {
    waiting = false;
    const heading = headingRead();
    const anchor = heading?.id ?? "";
    for (const [link, href] of languageLinks) link.href = anchor ? `${href}#${anchor}` : href;
    for (const link of document.querySelectorAll('.contents ul a[href^="#"]')) {
      if (link.hash === `#${heading?.closest("h2")?.id ?? anchor}`) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
    return { section, title, anchor, heading: heading?.textContent ?? "", lang: location.pathname.split("/")[1] };
  }

  look();
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => keep(look()), 250);
  }, { passive: true });
}

// --- Printing: a page on paper cannot be unfolded

const opened = [];
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details.answer:not([open])")) {
    details.open = true;
    opened.push(details);
  }
});
addEventListener("afterprint", () => {
  for (const details of opened.splice(0)) details.open = false;
});

if (article === null) {
  offer(kept());
} else {
  follow();
}
