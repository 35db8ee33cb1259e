// SPDX-License-Identifier: GPL-2.0-only

/** Messages at the top of the page: problems that stay until put away, notes that pass. */

import { element, focusBench } from "./dom.js";

const NOTE_MS = 4000;

export class Notices {
  #problems;
  #notes;

  /**
   * @param {HTMLElement} problems an alert region
   * @param {HTMLElement} notes a polite live region
   */
  constructor(problems, notes) {
    this.#problems = problems;
    this.#notes = notes;
  }

  /** @param {string} message one line, in place of the problem before */
  problem(message) {
    const close = element("button", { type: "button", class: "icon", "aria-label": "Dismiss" }, [
      "×",
    ]);
    close.addEventListener("click", () => {
      this.clear();
      focusBench();
    });
    this.#problems.replaceChildren(element("p", {}, [message]), close);
    this.#problems.hidden = false;
  }

  clear() {
    this.#problems.replaceChildren();
    this.#problems.hidden = true;
  }

  /** @param {string} message one line; it passes */
  note(message) {
    const note = element("p", { class: "note" }, [message]);
    this.#notes.replaceChildren(note);
    setTimeout(() => note.remove(), NOTE_MS);
  }
}
