// The exercise page: the editor in place of the plain text field, drafts, sending, resetting.
// Without this script the form is sent as it stands and the submission's own page shows the verdict.

import { Draft } from "./drafts.js";
import { createEditor } from "./editor.bundle.js";
import { drawFigures } from "./figures.js";
import { follow, results, say } from "./results.js";
import { offerStudy } from "./study.js";
import { _ } from "./words.js";

drawFigures(document.querySelector(".task")); // the symptom, where the exercise shows one

const element = (id) => document.getElementById(id);
const data = element("page");
const page = JSON.parse(data.textContent);
const draft = new Draft(page.learner, page.exercise);
const form = element("desk");
const button = element("submit");
const problem = element("problem");

const field = element("source");
let taking = false; // a text from another tab: written back, it would overwrite what has been typed there since
const editor = createEditor({
  parent: element("editor"),
  doc: draft.read() ?? page.source,
  nonce: data.nonce,
  attributes: {
    "aria-label": _("Your solution, in Python"),
    "aria-describedby": "editor-help",
    spellcheck: "false",
    autocapitalize: "off",
    tabindex: "0",
  },
  onChange: (text) => { if (!taking) draft.write(text); },
  onSubmit: () => form.requestSubmit(),
});
// Typed in another tab, it would be lost when somebody types here.
addEventListener("storage", ({ key, newValue }) => {
  if (key !== draft.key || newValue === null) return;
  taking = true;
  editor.replace(newValue);
  taking = false;
});
field.hidden = true;
field.disabled = true;
for (const id of ["editor-help", "reset", "submit-keys"]) element(id).hidden = false;
if (/Mac|iPhone|iPad/.test(navigator.platform)) element("submit-keys").textContent = "⌘ Enter";

// The line where a rejected solution does not parse, unless the code has changed since.
function markLine() {
  const line = results.querySelector("[data-line]")?.dataset.line;
  if (line === undefined) editor.unmark();
  else editor.markLine(Number(line), _("← here"));
}
if (editor.text() === page.source) markLine();

offerStudy(page.exercise, () => editor.text());

let sending = false;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});

if (results.dataset.follow !== undefined) watch(results.dataset.follow, page.source);

// Submitting again while one is being judged is allowed: the page then follows the newer.
async function submit() {
  if (sending) return;
  const source = editor.text();
  busy(true);
  problem.hidden = true;
  editor.unmark();
  try {
    const id = await send(source);
    element("result").scrollIntoView({ block: "nearest", behavior: "smooth" });
    watch(id, source);
  } catch (error) {
    tell(error);
  } finally {
    busy(false);
  }
}

async function watch(id, source) {
  try {
    await follow(id);
    if (editor.text() === source) markLine();
  } catch (error) {
    tell(error);
  }
}

// What hinders is said under the editor.
function tell(error) {
  problem.textContent = error.message;
  problem.hidden = false;
}

// aria-disabled and not disabled: a disabled button would lose the keyboard's focus.
function busy(yes) {
  sending = yes;
  button.setAttribute("aria-disabled", String(yes));
}

async function send(source) {
  if (new Blob([source]).size > page.maxKib * 1024) {
    throw new Error(_("Your solution is larger than {limit_kib} KiB. Send only the code of the exercise.", { limit_kib: page.maxKib }));
  }
  let answer, body;
  try {
    answer = await fetch(`/api/exercises/${page.exercise}/submissions?lang=${page.lang}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ source }),
    });
    body = await answer.json();
  } catch {
    throw new Error(_("The site cannot be reached. Your code is kept in this browser; try again in a moment."));
  }
  if (!answer.ok) throw new Error(body.error);
  say(_("Submitted."));
  return body.id;
}

const dialog = element("reset-dialog");
element("reset").addEventListener("click", () => dialog.showModal());
dialog.addEventListener("close", () => {
  if (dialog.returnValue === "yes") {
    editor.replace(page.starter);
    editor.focus();
  }
  dialog.returnValue = "";
});
