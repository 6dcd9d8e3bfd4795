// Code that runs on the server, in a box: sent, followed to its end, stopped. What it prints arrives as plain text.

import { Stream } from "./stream.js";
import { _ } from "./words.js";

export const PLAY = "M5 3l12 7-12 7z";
export const HALT = "M5 5h10v10H5z";

const { lang } = JSON.parse(document.getElementById("page").textContent);

// How far a run is that has not ended, or null where an event says nothing of that.
export function whereItIs({ event, silent, position }) {
  if (event === "begun") return _("Running");
  if (event !== "waiting") return null;
  if (silent) return _("Nothing has been run for a while; no worker seems to be running.");
  return position > 0 ? _("Waiting: number {position} in the queue", { position }) : null;
}

let lastSent = Promise.resolve();

export class Run {
  // `show` gets each event. It is sent when what ran before is stopped: a reader may have only few at a time.
  constructor(address, code, show, free) {
    this.show = show;
    this.left = false;
    // One after the other: the answer to the first brings the cookie by which the reader of them all is known.
    this.sent = Promise.all([free, lastSent]).then(() => (this.left ? null : this.send(address, code)));
    lastSent = this.sent.catch(() => null);
  }

  // Resolves when it has ended, or nobody looks any more.
  async follow() {
    const id = await this.sent;
    if (this.left) return;
    await new Promise((resolve, reject) => {
      const tell = (event) => {
        if (!this.left) this.show(event);
        if (event.event !== "ended") return;
        this.stream.close();
        resolve();
      };
      const refused = () => {
        this.stop();
        reject(new Error(_("What it prints cannot be shown here. Run it again.")));
      };
      this.stream = new Stream(`/api/runs/${id}/events?lang=${lang}`, tell, refused);
    });
  }

  async send(address, code) {
    let answer, body;
    try {
      answer = await fetch(`${address}?lang=${lang}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(code),
      });
      body = await answer.json();
    } catch {
      throw new Error(_("The site cannot be reached. Your code is kept in this browser; try again in a moment."));
    }
    if (!answer.ok) throw new Error(body.error);
    return body.id;
  }

  // The end that this makes arrives as every other. A page that is being left may still say so.
  async stop() {
    const id = await this.sent.catch(() => null);
    if (id !== null) await fetch(`/api/runs/${id}/stop`, { method: "POST", keepalive: true }).catch(() => null);
  }

  // Nobody looks any more.
  leave() {
    this.left = true;
    this.stream?.close();
    return this.stop();
  }
}
