// The blocks of a section: copying, running and editing them in place. What a block builds on runs before it, unheard,
// as it stands on the page. The server runs nothing in the page's own process; what is printed arrives as plain text.

import { Draft } from "./drafts.js";
import { html, picture } from "./node.js";
import { HALT, PLAY, Run, whereItIs } from "./runs.js";
import { _ } from "./words.js";

// How a traceback names the place of a frame: in the only block that ran, or in one of several.
const PLACE = /^block(?:_(\d+))?\.py, line (\d+)/gm;

const data = document.getElementById("page");
const said = document.getElementById("said");
const blocks = [];

// A draft is kept under its original: where the chapter has changed since, it is nobody's.
function nameOf(text) {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + character.codePointAt(0)) >>> 0;
  return hash.toString(36);
}

function labelled(label, action) {
  const button = html("button", { type: "button", class: "quiet" }, label);
  button.addEventListener("click", action);
  return button;
}

class Block {
  constructor(element, number) {
    this.element = element;
    this.number = number;
    this.code = element.querySelector(".code:not(.output)");
    this.printed = element.querySelector(".output");
    this.original = this.code.textContent;
    this.draft = new Draft("block", nameOf(this.original));
    this.editor = null; // made when it is first asked for, and kept: what is taken back can be had again
    this.run = null;

    element.setAttribute("role", "group");
    element.setAttribute("aria-label", _("Block {n}", { n: number }));
    this.runButton = labelled("", () => this.runOrStop());
    this.runButton.classList.add("block__run");
    this.editButton = labelled(_("Edit"), () => this.edit());
    this.backButton = labelled(_("Back to the original"), () => this.takeBack());
    this.backButton.hidden = true;
    this.copyButton = labelled(_("Copy"), () => this.copy());
    this.copyButton.classList.add("block__copy");
    this.bar = html("div", { class: "block__bar" }, this.runButton, this.editButton, this.backButton, this.copyButton);
    this.code.after(this.bar);
    this.showRunning(false);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      event.preventDefault();
      this.start();
    });
    const kept = this.draft.read();
    if (kept !== null && kept !== this.original) this.edit(kept);
  }

  get text() {
    return this.editing ? this.editor.text() : this.original;
  }

  get editing() {
    return this.code.hidden;
  }

  // --- Editing

  async edit(kept = null) {
    this.editButton.setAttribute("aria-disabled", "true");
    try {
      if (this.editor === null) await this.makeEditor(kept ?? this.original);
      this.code.hidden = true;
      this.place.hidden = this.backButton.hidden = this.help.hidden = false;
      this.editButton.hidden = true;
      if (kept === null) this.editor.focus();
    } catch {
      this.tell(_("The site cannot be reached. Your code is kept in this browser; try again in a moment."));
    } finally {
      this.editButton.removeAttribute("aria-disabled");
    }
  }

  async makeEditor(text) {
    const { createEditor } = await import("./editor.bundle.js"); // heavy: only who edits fetches it
    if (this.editor !== null) return; // asked for twice
    const help = `block-help-${this.number}`;
    this.help = html("p", { class: "note block__help", id: help },
      _("Ctrl+Enter runs it. Tab indents; to leave the editor by keyboard, press Escape and then Tab."));
    this.place = html("div", { class: "editor" });
    this.code.after(this.place);
    this.bar.append(this.help);
    this.editor = createEditor({
      parent: this.place,
      doc: text.replace(/\n$/, ""),
      nonce: data.nonce,
      attributes: {
        "aria-label": _("Block {n}, in Python", { n: this.number }),
        "aria-describedby": help,
        spellcheck: "false",
        autocapitalize: "off",
        tabindex: "0",
      },
      onChange: (now) => this.keep(now),
      onSubmit: () => this.start(),
    });
  }

  keep(text) {
    if (text === this.original.replace(/\n$/, "")) this.draft.forget();
    else this.draft.write(text);
  }

  takeBack() {
    this.editor.replace(this.original.replace(/\n$/, ""));
    this.code.hidden = false;
    this.place.hidden = this.backButton.hidden = this.help.hidden = true;
    this.editButton.hidden = false;
    this.editButton.focus();
    said.textContent = _("The original is back. Edit and undo bring your version.");
  }

  async copy() {
    let copied = true;
    try {
      await navigator.clipboard.writeText(this.text);
    } catch {
      copied = false; // no clipboard without https, or not allowed
      if (this.editing) this.editor.focus();
      else getSelection().selectAllChildren(this.code);
    }
    said.textContent = this.copyButton.textContent = copied ? _("Copied") : _("Selected: press Ctrl+C");
    setTimeout(() => { this.copyButton.textContent = _("Copy"); }, 2000);
  }

  // --- Running

  runOrStop() {
    if (this.run === null) this.start();
    else this.run.stop();
  }

  // Running again while it runs stops what ran before.
  start() {
    const free = this.run?.leave() ?? Promise.resolve();
    this.makePlaceForOutput();
    this.output.textContent = "";
    this.end.replaceChildren(html("p", { class: "note" }, _("Sent")));
    this.problem.hidden = true;
    const first = blocks.slice(0, this.number).findLastIndex((block) => !("continues" in block.element.dataset));
    const chain = blocks.slice(first, this.number);
    for (const block of chain) block.editor?.unmark();
    const sent = chain.map((block) => block.text);
    const run = this.run = new Run("/api/runs", {
      blocks: sent,
      processes: chain.some((block) => "workers" in block.element.dataset),
    }, (event) => {
      this.show(event);
      if (event.event === "ended") markError(chain, sent, event.traceback);
    }, free);
    this.showRunning(true);
    run.follow().catch((error) => this.run === run && this.tell(error.message)).finally(() => {
      if (this.run !== run) return;
      this.run = null;
      this.showRunning(false);
    });
  }

  makePlaceForOutput() {
    if (this.output !== undefined) return;
    this.output = html("pre", { class: "code output", tabindex: "0", role: "log", "aria-label": _("Your run") });
    this.end = html("div", { class: "run__end", "aria-live": "polite" });
    this.problem = html("p", { class: "alert", role: "alert", hidden: "" });
    this.element.append(html("div", { class: "run" }, html("p", { class: "block__label" }, _("Your run")), this.output,
      this.end, this.problem));
    this.element.classList.add("block--ran");
    this.element.querySelector(".block__label").textContent = _("As printed here");
  }

  showRunning(yes) {
    this.runButton.replaceChildren(picture(yes ? HALT : PLAY), yes ? _("Stop") : _("Run"));
  }

  tell(sentence) {
    this.makePlaceForOutput();
    this.end.replaceChildren();
    this.problem.textContent = sentence;
    this.problem.hidden = false;
  }

  show(event) {
    const { output, end } = this;
    const state = whereItIs(event);
    if (state !== null) end.replaceChildren(html("p", { class: "note" }, state));
    switch (event.event) {
      case "begun": // a second time: it runs from its beginning again
        output.textContent = "";
        break;
      case "printed": {
        const atTheEnd = output.scrollTop + output.clientHeight >= output.scrollHeight - 4;
        output.append(event.text);
        if (atTheEnd) output.scrollTop = output.scrollHeight;
        break;
      }
      case "ended":
        end.innerHTML = event.html; // the server's own, in which all that is the reader's is escaped
        if (output.textContent === this.printed.textContent) {
          end.querySelector(".note")?.append(" ", _("It prints what is printed here."));
        }
        break;
    }
  }
}

// The last place in the traceback is where the error was raised. It is marked where the reader can mend it, unless the
// code has changed since.
function markError(chain, sent, traceback) {
  const place = [...traceback.matchAll(PLACE)].at(-1);
  if (place === undefined) return;
  const at = Number(place[1] ?? 1) - 1;
  const block = chain[at];
  if (block?.editing && block.text === sent[at]) block.editor.markLine(Number(place[2]), _("← raised here"));
}

document.querySelectorAll(".block").forEach((element, index) => blocks.push(new Block(element, index + 1)));
addEventListener("pagehide", () => {
  for (const block of blocks) block.run?.stop();
});
