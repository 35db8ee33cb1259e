// SPDX-License-Identifier: GPL-2.0-only

/** The list of all lessons, with what is done of each. */

import { element } from "../dom.js";
import { fits, forget, isDone, recall } from "./lesson-memory.js";
import { button } from "./lesson-text.js";

/** @typedef {import("./lesson-types.js").Lesson} Lesson */

export class LessonList {
  #host;
  /** @type {Lesson[]} */
  #lessons = [];
  #open;
  #summary = element("p", { role: "status" });
  #links = element("ol", { class: "lesson-links" });
  #anew = button("Reset my progress", () => this.#forgetAll(), "button small");

  /**
   * @param {HTMLElement} host is filled
   * @param {(id: string) => void} open called with the lesson that the reader wants
   */
  constructor(host, open) {
    this.#host = host;
    this.#open = open;
    host.append(
      element("h2", {}, ["Lessons"]),
      element("p", {}, [
        "Each lesson asks for a prediction first. Then the bench shows what happens.",
      ]),
      this.#summary,
      this.#links,
      element("p", {}, [
        "Write your own tuner, and ",
        element("a", { href: "tuner/index.html" }, ["race it against MI, MI+ and AIMD"]),
        ".",
      ]),
      this.#anew,
    );
  }

  /** @param {Lesson[]} lessons in their order */
  setLessons(lessons) {
    this.#lessons = lessons;
    this.show();
  }

  /**
   * Shows what is done by now.
   * @param {string} [focused] id of the lesson whose link takes the focus
   */
  show(focused) {
    const done = this.#lessons.filter(({ id }) => isDone(id)).length;
    this.#summary.textContent = done ? `${done} of ${this.#lessons.length} done.` : "";
    const items = this.#lessons.map((lesson) => this.#makeItem(lesson));
    this.#links.replaceChildren(...items);
    this.#anew.hidden = this.#lessons.every((lesson) => stateOf(lesson) === "");
    const place = this.#lessons.findIndex(({ id }) => id === focused);
    items[place]?.querySelector("button")?.focus();
  }

  /** @param {Lesson} lesson */
  #makeItem(lesson) {
    const state = stateOf(lesson);
    const side = [element("span", { class: "lesson-minutes" }, [`${lesson.minutes} minutes`])];
    if (state) {
      const sign = element("span", { "aria-hidden": "true" }, [state === "done" ? "✓ " : ""]);
      side.push(element("span", { class: `lesson-state lesson-${state}` }, [sign, state]));
    }
    const link = element("button", { type: "button", class: "lesson-link" }, [
      element("b", {}, [lesson.title]),
      element("span", { class: "lesson-side" }, side),
    ]);
    link.addEventListener("click", () => this.#open(lesson.id));
    return element("li", {}, [link]);
  }

  #forgetAll() {
    for (const { id } of this.#lessons) forget(id);
    this.show();
    this.#host.querySelector("button")?.focus();
  }
}

/** @param {Lesson} lesson @returns {"" | "begun" | "done"} */
function stateOf({ id, prediction }) {
  if (isDone(id)) return "done";
  return fits(recall(id), prediction) ? "begun" : "";
}
