// SPDX-License-Identifier: GPL-2.0-only

/** The column of lessons: their list, and the one that is open. */

import { element, find } from "../dom.js";
import { showLessonsColumn } from "../layout.js";
import { LessonView } from "./lesson-view.js";

/** @typedef {import("../engine/laboratory.js").Laboratory} Laboratory */
/** @typedef {import("../player/player.js").Player} Player */

/** Steps of a lesson that need more of the page than the lesson's own place. */
const WATCH = 1;
const EXERCISE = 3;

export class LessonsPanel {
  /** Called when a lesson was opened or closed, or went on a step. */
  onChange = () => {};

  #list;
  #host;
  #toBench;
  #toLessons;
  #view;
  /** @type {any[]} as in lessons.json */
  #lessons = [];
  #lesson = "";
  #step = 0;

  /** @param {{player: Player, laboratory: Laboratory}} engines */
  constructor(engines) {
    this.#list = find("#lesson-list", HTMLElement);
    this.#host = find("#lesson", HTMLElement);
    this.#toBench = find("#to-bench", HTMLButtonElement);
    this.#toLessons = find("#to-lessons", HTMLButtonElement);
    this.#view = new LessonView(this.#host, engines);
    this.#view.addEventListener("step", (event) => {
      this.#step = /** @type {CustomEvent} */ (event).detail.step;
      this.#arrange();
      this.onChange();
    });
    this.#view.addEventListener("close", () => this.#showList());
    this.#toBench.addEventListener("click", () => this.showBench());
    this.#toLessons.addEventListener("click", () => this.showLessons());
  }

  /** @returns {{lesson: string, step: number}} what is open; an empty id: none */
  get place() {
    return { lesson: this.#lesson, step: this.#step };
  }

  /** @param {any[]} lessons as in lessons.json */
  setLessons(lessons) {
    this.#lessons = lessons;
    const items = lessons.map((lesson) => {
      const button = element("button", { type: "button", class: "lesson-link" }, [
        element("b", {}, [lesson.title]),
        element("span", { class: "lesson-minutes" }, [`${lesson.minutes} minutes`]),
      ]);
      button.addEventListener("click", () => this.open(lesson.id, 0));
      return element("li", {}, [button]);
    });
    this.#list.replaceChildren(
      element("h2", {}, ["Lessons"]),
      element("p", {}, ["Each asks for a prediction first; then the bench shows what happens."]),
      element("ol", { class: "lesson-links" }, items),
    );
  }

  /**
   * @param {string} id
   * @param {number} step
   * @throws {Error} there is no such lesson
   */
  async open(id, step) {
    const lesson = this.#lessons.find((one) => one.id === id);
    if (!lesson) {
      const known = this.#lessons.map((one) => one.id).join(", ");
      throw new Error(`lesson=${id} is unknown; allowed: ${known}`);
    }
    this.#lesson = id;
    this.#step = step;
    this.#showColumn(true);
    this.#list.hidden = true;
    this.#host.hidden = false;
    await this.#view.open(lesson, step);
    this.onChange();
  }

  /** The list, or the lesson that was open. */
  showLessons() {
    this.#showColumn(true);
    if (!this.#lesson) this.#showList();
  }

  /** Closes the lesson. */
  showBench() {
    this.#forget();
    this.#showColumn(false);
    this.onChange();
  }

  /** Shows what a step needs: the network to watch, the form for what is solved on the bench. */
  #arrange() {
    const watching = this.#lesson !== "" && this.#step === WATCH;
    document.documentElement.classList.toggle("watching", watching);
    if (this.#host.getBoundingClientRect().top < 0) {
      (watching ? find("#stage", HTMLElement) : this.#host).scrollIntoView();
    }
    const lesson = this.#lessons.find((one) => one.id === this.#lesson);
    if (lesson?.exercise.kind === "find" && this.#step === EXERCISE) {
      find("#scenario", HTMLDetailsElement).open = true;
    }
  }

  #showList() {
    this.#forget();
    this.#list.hidden = false;
    this.#host.hidden = true;
    this.onChange();
  }

  #forget() {
    const wasOpen = this.#lesson !== "";
    this.#lesson = "";
    this.#step = 0;
    if (wasOpen) this.#view.close();
    this.#arrange();
  }

  /** @param {boolean} shown */
  #showColumn(shown) {
    showLessonsColumn(shown);
    this.#toBench.setAttribute("aria-pressed", String(!shown));
    this.#toLessons.setAttribute("aria-pressed", String(shown));
  }
}
