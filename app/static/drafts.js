// What a learner has typed, kept in this browser for each exercise and learner, or for a block of the chapter.

export class Draft {
  constructor(learner, exercise) {
    this.key = `five-lines:draft:${learner}:${exercise}`;
  }

  read() {
    try {
      return localStorage.getItem(this.key);
    } catch {
      return null; // storage is switched off: the page works, but a reload forgets
    }
  }

  write(text) {
    try {
      localStorage.setItem(this.key, text);
    } catch {
      // As above, or full.
    }
  }

  forget() {
    try {
      localStorage.removeItem(this.key);
    } catch {
      // As above.
    }
  }
}
