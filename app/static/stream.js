// Events from the server, while the page is seen. A browser opens six connections to a site and no more, and each stream
// holds one: pages in the background would shut their reader out. Seen again, a page is told all from the beginning.

export class Stream {
  // `tell` gets each event; `refused` is called when the server will not send any.
  constructor(address, tell, refused) {
    this.address = address;
    this.tell = tell;
    this.refused = refused;
    this.source = null;
    this.look = () => (document.hidden ? this.pause() : this.open());
    document.addEventListener("visibilitychange", this.look);
    this.look();
  }

  open() {
    if (this.source !== null) return;
    this.source = new EventSource(this.address);
    this.source.addEventListener("message", (message) => this.tell(JSON.parse(message.data)));
    this.source.addEventListener("error", () => {
      // While it is connecting again there is nothing to do; closed, the server has refused, or the page is left.
      if (this.source.readyState === EventSource.CLOSED) {
        this.close();
        this.refused();
      }
    });
  }

  pause() {
    this.source?.close();
    this.source = null;
  }

  close() {
    document.removeEventListener("visibilitychange", this.look);
    this.pause();
  }
}
