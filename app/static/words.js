// The site's sentences in the page's language: English is the key, the page carries the rest.

const translations = JSON.parse(document.getElementById("words").textContent);

export function _(msgid, values = {}) {
  const sentence = translations[msgid] ?? msgid;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
