// Colours the code of a submission, here and not on the server: what is made to take long there makes everybody wait.

import { coloured } from "./editor.bundle.js";

const code = document.querySelector("#code code");
code.replaceChildren(coloured(code.textContent));
