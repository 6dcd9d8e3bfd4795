// Light or dark by the reader's choice. The choice is a cookie, so that the server already sends the right page.

const root = document.documentElement;
const button = document.getElementById("theme");
const systemDark = matchMedia("(prefers-color-scheme: dark)");

button.hidden = false;
button.addEventListener("click", () => {
  const now = root.dataset.theme ?? (systemDark.matches ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  root.dataset.theme = next;
  document.cookie = `theme=${next}; path=/; max-age=31536000; samesite=lax`;
});
