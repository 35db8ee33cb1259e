// SPDX-License-Identifier: GPL-2.0-only

/**
 * A lesson: question and prediction, the live scene, what happened, an exercise. Nothing of a lesson
 * moves before the reader has said what is going to happen.
 */

import { element } from "../dom.js";
import { ExerciseForm } from "./lesson-exercise.js";
import { Judge } from "./lesson-measures.js";
import { fits, markDone, recall, remember } from "./lesson-memory.js";
import { askPrediction, showOutcome } from "./lesson-prediction.js";
import { putOnBench, Scene } from "./lesson-scene.js";
import { button, printMenu, rendered } from "./lesson-text.js";

/** @typedef {import("./lesson-types.js").Lesson} Lesson */
/** @typedef {import("./lesson-types.js").Answer} Answer */
/** @typedef {import("./lesson-types.js").PlayerLike} PlayerLike */
/** @typedef {import("./lesson-types.js").LaboratoryLike} LaboratoryLike */

/** Class of the page's root while a prediction is awaited: readings that tell it are hidden. */
const PREDICTING = "predicting";

const STEPS = ["Question", "Watch", "What happened", "Exercise"];
const [QUESTION, WATCH, , EXERCISE] = STEPS.keys();

/**
 * Events: "step" (detail: {lesson: its id, step: from 0}), "next" (detail: {lesson: id of the one
 * that is wanted}) and "close".
 */
export class LessonView extends EventTarget {
  #host;
  /** @type {PlayerLike & EventTarget} */
  #player;
  #laboratory;
  #judge;
  #paper;
  /** @type {Lesson | null} */
  #lesson = null;
  /** @type {Lesson | undefined} the one behind it */
  #next;
  #step = QUESTION;
  /** @type {Answer | null} */
  #answer = null;
  /** @type {object | null} the scenario that the lesson has put on the bench last */
  #scene = null;
  /** @type {(() => void)[]} */
  #ends = [];
  #guard = () => this.#hold();

  /**
   * @param {HTMLElement} host
   * @param {{player: PlayerLike & EventTarget, laboratory: LaboratoryLike}} engines
   * @param {import("../form/form.js").PaperValues} paper the values that the paper's figures sweep
   */
  constructor(host, { player, laboratory }, paper) {
    super();
    this.#host = host;
    this.#player = player;
    this.#laboratory = laboratory;
    this.#paper = paper;
    this.#judge = new Judge(laboratory);
    host.classList.add("lesson");
  }

  /**
   * @param {Lesson} lesson as in lessons.json
   * @param {number} [step] from 0; without a prediction it is 0
   * @param {Lesson} [next] the lesson behind it; without one it is the last
   */
  async open(lesson, step = QUESTION, next = undefined) {
    this.close();
    this.#lesson = lesson;
    this.#next = next;
    const answer = recall(lesson.id);
    this.#answer = fits(answer, lesson.prediction) ? answer : null;
    this.#player.addEventListener("change", this.#guard);
    const opened = this.#goTo(step);
    if (step > this.#step) this.#tell("The link opens a later step. Make your prediction first.");
    await opened;
  }

  /** Ends the lesson that is open, if there is one. */
  close() {
    this.#endStep();
    this.#player.removeEventListener("change", this.#guard);
    this.#lesson = null;
    this.#scene = null;
    this.#host.replaceChildren();
    document.documentElement.classList.remove(PREDICTING);
  }

  /** Nothing plays before the prediction. */
  #hold() {
    if (this.#answer !== null || !this.#player.state.playing) return;
    this.#player.pause();
    this.#tell("Make your prediction first; then you can play the scene.");
  }

  /** @param {string} text below the question of a prediction */
  #tell(text) {
    const message = this.#host.querySelector(".lesson-message");
    if (message) message.textContent = text;
  }

  /** @param {number} step */
  async #goTo(step) {
    const lesson = this.#lesson;
    if (!lesson) return;
    const last = this.#answer === null ? QUESTION : EXERCISE;
    this.#step = Math.min(Math.max(0, Math.trunc(step) || 0), last);
    document.documentElement.classList.toggle(PREDICTING, this.#answer === null);
    this.#draw(lesson);
    const detail = { lesson: lesson.id, step: this.#step };
    this.dispatchEvent(new CustomEvent("step", { detail }));
    await this.#prepare(lesson);
  }

  /** Puts the step's scenario on the bench, unless it is there. @param {Lesson} lesson */
  async #prepare(lesson) {
    const { exercise } = lesson;
    const isTask = this.#step === EXERCISE && exercise.kind === "find";
    const scenario = isTask ? exercise.scenario : lesson.scenario;
    const wanted = isTask ? exercise : lesson;
    if (this.#scene === wanted) return;
    this.#scene = wanted;
    await putOnBench(this.#player, lesson, scenario);
  }

  #endStep() {
    for (const end of this.#ends.splice(0)) end();
  }

  /** @param {Lesson} lesson */
  #draw(lesson) {
    this.#endStep();
    const title = element("h2", { tabindex: "-1" }, [lesson.title]);
    const body = element("div", { class: "lesson-body" });
    const parts = [this.#drawQuestion, this.#drawWatch, this.#drawExplanation, this.#drawExercise];
    const head = this.#head(lesson, title);
    this.#host.replaceChildren(head, this.#steps(), body, this.#foot());
    // What is drawn needs its place in the page.
    parts[this.#step].call(this, lesson, body);
    title.focus({ preventScroll: true });
    head.scrollIntoView({ block: "nearest" });
  }

  /** @param {Lesson} lesson @param {HTMLElement} title */
  #head(lesson, title) {
    const close = button("All lessons", () => this.#leave());
    const about = `Lesson ${lesson.number}, ${lesson.minutes} minutes`;
    return element("header", { class: "lesson-head" }, [
      element("div", { class: "lesson-about" }, [
        element("span", {}, [about]),
        printMenu(lesson.printed),
        close,
      ]),
      title,
    ]);
  }

  #leave() {
    this.close();
    this.dispatchEvent(new CustomEvent("close"));
  }

  #steps() {
    const items = STEPS.map((name, step) => {
      const to = button(`${step + 1} ${name}`, () => this.#goTo(step), "lesson-step");
      if (step === this.#step) to.setAttribute("aria-current", "step");
      to.disabled = step > QUESTION && this.#answer === null;
      return element("li", {}, [to]);
    });
    return element("nav", { "aria-label": "Steps of the lesson" }, [
      element("ol", { class: "lesson-steps" }, items),
    ]);
  }

  #foot() {
    const foot = element("p", { class: "lesson-foot" });
    const step = this.#step;
    if (step > QUESTION) foot.append(button("Back", () => this.#goTo(step - 1)));
    if (step < EXERCISE && this.#answer !== null) {
      const next = `Go on: ${STEPS[step + 1]}`;
      foot.append(button(next, () => this.#goTo(step + 1), "button lesson-main"));
    }
    if (step === EXERCISE) foot.append(this.#wayOn());
    return foot;
  }

  /** From the end of a lesson: to the next one, from the last one to the list. */
  #wayOn() {
    const next = this.#next;
    if (!next) return button("All lessons", () => this.#leave(), "button lesson-on");
    const go = () => {
      this.dispatchEvent(new CustomEvent("next", { detail: { lesson: next.id } }));
    };
    return button(`Next lesson: ${next.title}`, go, "button lesson-on");
  }

  /** @param {Lesson} lesson @param {HTMLElement} body */
  #drawQuestion({ id, parts, prediction }, body) {
    const place = element("div", {});
    body.append(
      rendered(parts.question, "div", "lesson-text"),
      element("h3", {}, ["Your prediction"]),
      rendered(parts.prediction, "div", "lesson-text"),
      place,
    );
    if (this.#answer !== null) {
      const anew = () => {
        remember(id, null);
        this.#answer = null;
        this.#goTo(QUESTION);
      };
      place.append(
        element("p", {}, ["You have made your prediction. Step 3 compares it."]),
        button("Predict again", anew),
      );
      return;
    }
    const commit = (/** @type {Answer} */ answer) => {
      remember(id, answer);
      this.#answer = answer;
      this.#goTo(WATCH);
    };
    this.#ends.push(askPrediction(place, prediction, commit));
  }

  /** @param {Lesson} lesson @param {HTMLElement} body */
  #drawWatch(lesson, body) {
    body.append(rendered(lesson.parts.watch, "div", "lesson-text"));
    const scene = new Scene(body, lesson, this.#player);
    this.#ends.push(() => scene.destroy());
  }

  /** @param {Lesson} lesson @param {HTMLElement} body */
  #drawExplanation(lesson, body) {
    const outcome = element("section", {
      class: "lesson-outcome",
      "aria-label": "Your prediction",
    });
    body.append(outcome, rendered(lesson.parts.explanation, "div", "lesson-text"));
    const answer = /** @type {Answer} */ (this.#answer);
    this.#ends.push(showOutcome(outcome, lesson.prediction, answer, this.#judge));
  }

  /** @param {Lesson} lesson @param {HTMLElement} body */
  #drawExercise(lesson, body) {
    body.append(rendered(lesson.parts.exercise, "div", "lesson-text"));
    const engines = { player: this.#player, laboratory: this.#laboratory, judge: this.#judge };
    const exercise = new ExerciseForm(body, lesson.exercise, engines, this.#paper);
    exercise.onSolved = () => {
      markDone(lesson.id);
      this.#host.querySelector(".lesson-on")?.classList.add("lesson-main");
    };
    this.#ends.push(() => exercise.destroy());
  }
}
