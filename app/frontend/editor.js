// The Python editor of an exercise page, on CodeMirror 6, and code coloured as it is there. Only what a short Python
// file needs is bundled: no completion and no search panel, which would double the size.
//
// Colours come from the site's style sheet through `tok-*` classes, so that light and dark need no second theme.
// `nonce` must be the one of the page's Content-Security-Policy: without it CodeMirror's own styles are refused and
// typed text is silently corrupted.

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars,
  keymap, lineNumbers, WidgetType } from "@codemirror/view";
import { classHighlighter, highlightCode } from "@lezer/highlight";

const setMarked = StateEffect.define();

class Words extends WidgetType {
  constructor(words) {
    super();
    this.words = words;
  }

  toDOM() {
    const shown = document.createElement("span");
    shown.className = "cm-marked__words";
    shown.textContent = this.words;
    return shown;
  }
}

// One marked line, with words at its end that say so to whoever sees no colours: where a rejected solution does not
// parse, or a block raised an error. Typing anywhere takes the mark away.
const marked = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setMarked)) {
        return effect.value === null
          ? Decoration.none
          : Decoration.set([
            Decoration.line({ class: "cm-marked" }).range(effect.value.from),
            Decoration.widget({ widget: new Words(effect.value.words), side: 1 }).range(effect.value.to),
          ]);
      }
    }
    return transaction.docChanged ? Decoration.none : value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function createEditor({ parent, doc, nonce, attributes, onChange, onSubmit }) {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc,
      extensions: [
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of(attributes),
        EditorState.tabSize.of(4),
        indentUnit.of("    "),
        lineNumbers(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSpecialChars(),
        drawSelection(),
        history(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        // No quotes: where they close themselves, typing a docstring's last three leaves five.
        EditorState.languageData.of(() => [{ closeBrackets: { brackets: ["(", "[", "{"] } }]),
        pythonLanguage,
        syntaxHighlighting(classHighlighter),
        marked,
        keymap.of([
          { key: "Mod-Enter", run: () => { onSubmit(); return true; } },
          ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab,
        ]),
        EditorView.updateListener.of((update) => { if (update.docChanged) onChange(update.state.doc.toString()); }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    replace(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    markLine(number, words) {
      const { doc } = view.state;
      const { from, to } = doc.line(Math.min(Math.max(number, 1), doc.lines));
      view.dispatch({ effects: setMarked.of({ from, to, words }) });
    },
    unmark() {
      view.dispatch({ effects: setMarked.of(null) });
    },
    focus: () => view.focus(),
  };
}

export function coloured(code) {
  const lines = new DocumentFragment();
  const put = (text, classes) => {
    const span = document.createElement("span");
    span.className = classes;
    span.textContent = text;
    lines.append(span);
  };
  highlightCode(code, pythonLanguage.parser.parse(code), classHighlighter, put, () => lines.append("\n"));
  return lines;
}
