// The pane with the scene as text: coloured, applied while typing, errors at their places.

import { text } from "./texts.js";

/** How long nobody types before it is applied. Unit: milliseconds. */
const PAUSE_MS = 350;

const TOKENS = /(#.*)|("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*')|^(\s*\[.*?\]\]?)|\b(true|false|inf|nan)\b|([+-]?\d[\d_.:eE+-]*)/gm;
const KINDS = ["comment", "string", "table", "word", "number"];

export class Editor {
  #pane = document.getElementById("editor");
  #area = document.getElementById("editor-text");
  #colours = document.getElementById("editor-colours");
  #lines = document.getElementById("editor-lines");
  #errors = document.getElementById("editor-errors");
  #state = document.getElementById("editor-state");
  #sea;
  #timer = 0;
  #problems = [];
  #state_name = "same";

  constructor(sea) {
    this.#sea = sea;
    this.#area.addEventListener("input", () => {
      this.#paint();
      this.#tell("typing");
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#apply(), PAUSE_MS);
    });
    this.#area.addEventListener("scroll", () => this.#follow());
    this.#area.addEventListener("keydown", (event) => {
      if (event.key !== "Tab" || event.shiftKey) return;
      event.preventDefault();
      document.execCommand("insertText", false, "  ");
    });
    // The keys of the sea are letters here.
    for (const kind of ["keydown", "keyup"]) this.#pane.addEventListener(kind, (event) => event.stopPropagation());
  }

  get open() {
    return !this.#pane.hidden;
  }

  /** Opens with what is shown now, or closes. */
  toggle(open = !this.open) {
    this.#pane.hidden = !open;
    document.body.classList.toggle("editing", open);
    if (open) this.read();
  }

  /** Takes the text of what is shown, unless somebody is in the middle of writing. */
  read() {
    if (!this.open || this.#state_name !== "same" || document.activeElement === this.#area) return;
    const now = this.#sea.sceneText();
    if (now === this.#area.value) return;
    this.#area.value = now;
    this.#show([]);
  }

  /** Begins anew with what is shown: another scene was opened. */
  forget() {
    clearTimeout(this.#timer);
    this.#tell("same");
    this.#area.blur();
    this.read();
  }

  /** What is written. */
  get value() {
    return this.#area.value;
  }

  /** Writes the texts of the page's language. */
  fill() {
    this.#show(this.#problems);
  }

  /** Shows what has been found wrong since what is written was taken. */
  wrong(problems) {
    if (this.#state_name === "same") this.#show(problems);
  }

  #apply() {
    this.#show(JSON.parse(this.#sea.applyText(this.#area.value)));
  }

  #show(problems) {
    this.#problems = problems;
    this.#tell(problems.length ? "wrong" : "same");
    this.#errors.replaceChildren(
      ...problems.map(({ line, column, text: what }) => {
        const item = document.createElement("button");
        const place = document.createElement("b");
        place.textContent = text("editor-place", line, column);
        item.append(place, " ", what);
        item.addEventListener("click", () => this.#go(line, column));
        return item;
      }),
    );
    this.#paint();
  }

  #tell(state) {
    this.#state_name = state;
    this.#state.textContent = text(`editor-state-${state}`);
    this.#pane.dataset.state = state;
  }

  #go(line, column) {
    const before = this.#area.value.split("\n").slice(0, line - 1);
    const at = before.join("\n").length + (line > 1 ? 1 : 0) + column - 1;
    this.#area.focus();
    this.#area.setSelectionRange(at, at);
    const height = this.#area.scrollHeight / this.#area.value.split("\n").length;
    this.#area.scrollTop = Math.max(0, (line - 4) * height);
  }

  #paint() {
    const value = this.#area.value;
    const wrong = new Set(this.#problems.map(({ line }) => line));
    this.#lines.replaceChildren(
      ...value.split("\n").map((_, index) => {
        const number = document.createElement("span");
        number.textContent = index + 1;
        if (wrong.has(index + 1)) number.className = "wrong";
        return number;
      }),
    );
    const parts = [];
    let at = 0;
    for (const match of value.matchAll(TOKENS)) {
      const span = document.createElement("span");
      span.className = KINDS[match.slice(1).findIndex((group) => group !== undefined)];
      span.textContent = match[0];
      parts.push(value.slice(at, match.index), span);
      at = match.index + match[0].length;
    }
    this.#colours.replaceChildren(...parts, value.slice(at), "\n");
    this.#follow();
  }

  #follow() {
    this.#colours.scrollTop = this.#lines.scrollTop = this.#area.scrollTop;
    this.#colours.scrollLeft = this.#area.scrollLeft;
  }
}
