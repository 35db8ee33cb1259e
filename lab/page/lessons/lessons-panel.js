// SPDX-License-Identifier: GPL-2.0-only

/** The column of lessons: their list, and the one that is open. */

import { find } from "../dom.js";
import { isAtEntry } from "../entry/place.js";
import { showLessonsColumn } from "../layout.js";
import { LessonList } from "./lesson-list.js";
import { LessonView } from "./lesson-view.js";

/** @typedef {import("../engine/laboratory.js").Laboratory} Laboratory */
/** @typedef {import("../player/player.js").Player} Player */

/** The step of a lesson that needs more of the page than the lesson's own place. */
const WATCH = 1;

export class LessonsPanel {
  /** Called when a lesson was opened or closed, or went on a step. */
  onChange = () => {};
  /** Called with the names of the charts that are to be shown; none: all. */
  onCharts = (/** @type {string[]} */ _names) => {};
  /** Called with what opens or closes a lesson or the list, as the reader wants it. */
  onTurn = (/** @type {() => unknown} */ change) => {
    change();
  };

  #place;
  #list;
  #host;
  #toBench;
  #toLessons;
  #view;
  /** @type {any[]} as in lessons.json */
  #lessons = [];
  #lesson = "";
  #step = 0;

  /**
   * @param {{player: Player, laboratory: Laboratory}} engines
   * @param {import("../form/form.js").PaperValues} paper the values that the paper's figures sweep
   */
  constructor(engines, paper) {
    this.#place = find("#lesson-list", HTMLElement);
    this.#list = new LessonList(this.#place, (id) => this.onTurn(() => this.open(id, 0)));
    this.#host = find("#lesson", HTMLElement);
    this.#toBench = find("#to-bench", HTMLButtonElement);
    this.#toLessons = find("#to-lessons", HTMLButtonElement);
    this.#view = new LessonView(this.#host, engines, paper);
    this.#view.addEventListener("step", (event) => {
      this.#step = /** @type {CustomEvent} */ (event).detail.step;
      this.#arrange();
      this.onChange();
    });
    this.#view.addEventListener("close", () => this.onTurn(() => this.showList()));
    this.#view.addEventListener("next", (event) => {
      this.onTurn(() => this.open(/** @type {CustomEvent} */ (event).detail.lesson, 0));
    });
    this.#toBench.addEventListener("click", () => this.onTurn(() => this.showBench()));
    this.#toLessons.addEventListener("click", () => this.onTurn(() => this.#showLessons()));
  }

  /** @returns {{lesson: string, step: number, list: boolean}} what is open; an empty id: none */
  get place() {
    const list = this.#lesson === "" && !this.#place.hidden && this.#isShown;
    return { lesson: this.#lesson, step: this.#step, list };
  }

  get #isShown() {
    return this.#toLessons.getAttribute("aria-pressed") === "true";
  }

  /** @param {any[]} lessons as in lessons.json */
  setLessons(lessons) {
    this.#lessons = lessons;
    this.#list.setLessons(lessons);
  }

  /**
   * @param {string} id
   * @param {number} step
   * @throws {Error} there is no such lesson
   */
  async open(id, step) {
    const place = this.#lessons.findIndex((one) => one.id === id);
    if (place < 0) {
      const known = this.#lessons.map((one) => one.id).join(", ");
      throw new Error(`lesson=${id} is unknown; allowed: ${known}`);
    }
    this.#lesson = id;
    this.#step = step;
    this.#showColumn(true);
    this.#place.hidden = true;
    this.#host.hidden = false;
    this.onCharts(this.#lessons[place].charts);
    await this.#view.open(this.#lessons[place], step, this.#lessons[place + 1]);
    this.onChange();
  }

  /** The list, or the lesson that was open. */
  #showLessons() {
    if (this.#lesson) this.#showColumn(true);
    else this.showList();
  }

  /** Closes the lesson. */
  showBench() {
    this.#forget();
    this.#showColumn(false);
    this.onChange();
  }

  /** Shows what a step needs: the network to watch. */
  #arrange() {
    const watching = this.#lesson !== "" && this.#step === WATCH;
    document.documentElement.classList.toggle("watching", watching);
    if (this.#host.getBoundingClientRect().top < 0) {
      (watching ? find("#stage", HTMLElement) : this.#host).scrollIntoView();
    }
  }

  /** The list of all lessons; closes the one that is open. */
  showList() {
    const before = this.#lesson;
    this.#forget();
    this.#showColumn(true);
    this.#place.hidden = false;
    this.#host.hidden = true;
    this.#list.show(before);
    this.onChange();
  }

  #forget() {
    const wasOpen = this.#lesson !== "";
    this.#lesson = "";
    this.#step = 0;
    if (wasOpen) {
      this.#view.close();
      this.onCharts([]);
    }
    this.#arrange();
  }

  /** @param {boolean} shown */
  #showColumn(shown) {
    showLessonsColumn(shown);
    this.#toBench.setAttribute("aria-pressed", String(!shown && !isAtEntry()));
    this.#toLessons.setAttribute("aria-pressed", String(shown));
  }
}
