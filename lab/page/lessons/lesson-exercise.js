// SPDX-License-Identifier: GPL-2.0-only

/**
 * The exercise at the end of a lesson: its answer is checked by the engine, with help if it is wrong
 * and another one than before.
 */

import { element, refill } from "../dom.js";
import { ExerciseFields } from "./exercise-fields.js";
import { within } from "./lesson-measures.js";
import {
  button,
  choiceFields,
  numberField,
  numberWanted,
  quantityText,
  rendered,
  verdict,
} from "./lesson-text.js";

/** @typedef {import("./lesson-types.js").Exercise} Exercise */
/** @typedef {import("./lesson-types.js").FindTask} FindTask */
/** @typedef {import("./lesson-types.js").Goal} Goal */
/** @typedef {import("./lesson-types.js").Scenario} Scenario */
/** @typedef {import("./lesson-types.js").PlayerLike} PlayerLike */
/** @typedef {import("./lesson-types.js").LaboratoryLike} LaboratoryLike */
/** @typedef {import("./lesson-measures.js").Judge} Judge */

/**
 * @typedef {object} Checked
 * @property {boolean | null} good null: it cannot be judged yet
 * @property {string} text
 * @property {string} [answer] what was judged: one that was judged before brings no help
 * @property {HTMLElement[]} [lines]
 */

/** Options that follow another one where they are not set, by that one's name. */
const FOLLOWERS = /** @type {Record<string, string[]>} */ ({
  bandwidth: ["access-bandwidth", "reverse-bandwidth"],
  delay: ["reverse-delay"],
  queue: ["reverse-queue"],
});

export class ExerciseForm {
  /** Called when the exercise is solved. */
  onSolved = () => {};

  #exercise;
  #engines;
  /** @type {ExerciseFields | null} */
  #options = null;
  /** Answers that were wrong. @type {Set<string>} */
  #judged = new Set();
  /** @type {() => Promise<Checked>} */
  #check;
  #answer = element("div", { class: "lesson-answer", role: "status" });
  #help = element("ol", { class: "lesson-help", "aria-label": "Help" });
  #solution = element("div", { class: "lesson-solution" });
  #wrong = 0;
  #busy = false;

  /**
   * @param {HTMLElement} host
   * @param {Exercise} exercise
   * @param {{player: PlayerLike & EventTarget, laboratory: LaboratoryLike, judge: Judge}} engines
   * @param {import("../form/form.js").PaperValues} paper the values that the paper's figures sweep
   */
  constructor(host, exercise, engines, paper) {
    this.#exercise = exercise;
    this.#engines = engines;
    const form = element("form", { class: "lesson-form", novalidate: "" });
    if (exercise.kind === "find") this.#offerOptions(host, exercise, paper);
    this.#check = this.#fields(form, exercise);
    form.append(element("button", { type: "submit", class: "button lesson-main" }, ["Check it"]));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#judge();
    });
    this.#help.hidden = true;
    host.append(form, this.#answer, this.#help, this.#solution);
  }

  /** Ends it. */
  destroy() {
    this.#options?.destroy();
  }

  /**
   * The task, and the fields that it is about.
   * @param {HTMLElement} host
   * @param {FindTask} task
   * @param {import("../form/form.js").PaperValues} paper
   */
  #offerOptions(host, { change, goal }, paper) {
    const goals = goal.map((one) => rendered(one.text, "li", ""));
    host.append(
      element("p", { class: "lesson-goals-title" }, ["Goals:"]),
      element("ul", { class: "lesson-goals" }, goals),
    );
    const { player, laboratory } = this.#engines;
    const { options } = laboratory;
    this.#options = new ExerciseFields(host, change, { player, options, paper });
  }

  /** @param {HTMLElement} form @param {Exercise} exercise @returns {() => Promise<Checked>} */
  #fields(form, exercise) {
    const { judge } = this.#engines;
    if (exercise.kind === "choice") {
      const { fields, chosen } = choiceFields("Your answer", exercise.choices, "exercise");
      form.append(fields);
      return async () => {
        if (chosen() < 0) return { good: null, text: "Choose one of them." };
        const good = chosen() === (await judge.rightChoice(exercise.choices));
        return { good, text: good ? "Right." : "No.", answer: String(chosen()) };
      };
    }
    if (exercise.kind === "number") {
      const { fields, value } = numberField("Your answer", exercise);
      form.append(fields);
      return async () => {
        const mine = value();
        if (Number.isNaN(mine)) return { good: null, text: numberWanted(exercise) };
        const right = (await judge.value(exercise.quantity)) / exercise.perUnit;
        const good = Math.abs(mine - right) <= exercise.near * Math.abs(right);
        const { unit } = exercise;
        const away = mine > right ? "too much" : "too little";
        const text = `${quantityText(mine, unit)} is ${away}.`;
        return {
          good,
          answer: String(mine),
          text: good ? `Right: the simulation gives ${quantityText(right, unit)}.` : text,
        };
      };
    }
    return () => this.#checkBench(exercise);
  }

  /** @param {FindTask & {scenario: Scenario}} task @returns {Promise<Checked>} */
  async #checkBench(task) {
    const { judge, player, laboratory } = this.#engines;
    const refused = (await this.#options?.refused()) ?? [];
    if (refused.length > 0) {
      return { good: null, text: `Not allowed yet: ${refused.join(" and ")}. See the field.` };
    }
    const mine = { ...player.state.scenario };
    const [begun, now] = await Promise.all([judge.result(task.scenario), judge.result(mine)]);
    const other = changedElsewhere(begun.scenario, now.scenario, task.change, laboratory.options);
    if (other.length > 0) {
      const back = button("Back to the exercise's scenario", () => this.#load(task.scenario));
      const text = `Also changed: ${other.join(", ")}. Only ${task.change.join(" and ")} may change.`;
      return { good: null, text, lines: [back] };
    }
    if (changedElsewhere(begun.scenario, now.scenario, [], laboratory.options).length === 0) {
      const text = `Nothing is changed yet. Change ${task.change.join(" or ")}, and check again.`;
      return { good: null, text };
    }
    /** @type {{value: any, good: boolean}[]} */
    const reached = [];
    for (const { condition } of task.goal) {
      const value = await judge.value(at(condition, mine));
      reached.push({ value, good: within(condition.bounds, value) });
    }
    const good = reached.every((one) => one.good);
    const lines = task.goal.map((goal, place) => goalLine(goal, reached[place]));
    const list = element("ul", { class: "lesson-goals" }, lines);
    const answer = JSON.stringify(now.scenario);
    return { good, text: good ? "Solved." : "Not yet.", lines: [list], answer };
  }

  async #judge() {
    if (this.#busy) return;
    this.#busy = true;
    this.#answer.replaceChildren(element("p", {}, ["Simulating ..."]));
    try {
      const { good, text, lines = [], answer = "" } = await this.#check();
      const told =
        good === null ? element("p", { class: "lesson-message" }, [text]) : verdict(good, text);
      this.#answer.replaceChildren(told, ...lines);
      if (good) this.onSolved();
      if (good === false && !this.#judged.has(answer)) this.#offerHelp();
      if (good === false) this.#judged.add(answer);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      this.#answer.replaceChildren(element("p", { class: "lesson-message" }, [message]));
    }
    this.#busy = false;
  }

  #offerHelp() {
    const { help } = this.#exercise;
    const text = help[this.#wrong];
    this.#wrong += 1;
    if (text !== undefined) {
      this.#help.hidden = false;
      this.#help.append(rendered(text, "li", ""));
    }
    if (this.#wrong >= help.length && this.#solution.childElementCount === 0) {
      this.#solution.append(button("Show a solution", () => this.#showSolution()));
    }
  }

  async #showSolution() {
    const exercise = this.#exercise;
    const { judge } = this.#engines;
    if (exercise.kind === "find") {
      const words = Object.entries(exercise.solution).map(([name, text]) => `${name} = ${text}`);
      const scenario = { ...exercise.scenario, ...exercise.solution };
      refill(
        this.#solution,
        element("p", {}, [`One solution: ${words.join(", ")}.`]),
        button("Put it on the bench", () => this.#load(scenario)),
      );
      return;
    }
    const text =
      exercise.kind === "number"
        ? quantityText((await judge.value(exercise.quantity)) / exercise.perUnit, exercise.unit)
        : `answer ${(await judge.rightChoice(exercise.choices)) + 1}`;
    refill(this.#solution, element("p", {}, [`The simulation gives: ${text}.`]));
  }

  /** @param {Scenario} scenario */
  #load(scenario) {
    const { player } = this.#engines;
    player.pause();
    player.setScenario(scenario).catch(() => {});
  }
}

/** @param {Goal} goal @param {{value: any, good: boolean}} reached @returns {HTMLElement} */
function goalLine({ text, unit, perUnit }, { value, good }) {
  const line = rendered(text, "li", good ? "lesson-good" : "lesson-bad");
  const now =
    unit && typeof value === "number" ? `: ${quantityText(value / perUnit, unit)} now` : "";
  line.prepend(
    element("span", { class: "lesson-sign", "aria-hidden": "true" }, [good ? "✓ " : "✗ "]),
  );
  line.append(` ${good ? "(reached)" : "(not reached)"}${now}`);
  return line;
}

/**
 * @param {import("./lesson-types.js").Condition} condition
 * @param {Scenario} scenario
 * @returns {import("./lesson-types.js").Condition} the same for that scenario
 */
function at(condition, scenario) {
  const ratio = condition.ratioTo ? { ratioTo: { ...condition.ratioTo, scenario } } : {};
  return { ...condition, ...ratio, scenario };
}

/**
 * @param {any} before a resolved scenario, in SI numbers
 * @param {any} after another one
 * @param {string[]} allowed options that may differ
 * @param {{name: string, key: string}[]} options
 * @returns {string[]} names of those that differ all the same
 */
export function changedElsewhere(before, after, allowed, options) {
  const free = new Set(allowed.flatMap((name) => [name, ...(FOLLOWERS[name] ?? [])]));
  const names = new Map(options.map(({ key, name }) => [key, name]));
  /** @type {Set<string>} */
  const found = new Set();
  /** @param {any} a @param {any} b @param {string} key */
  const compare = (a, b, key) => {
    if (a !== null && b !== null && typeof a === "object" && typeof b === "object") {
      const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
      // An item of a list, or what differs in length, is named after the list.
      for (const inner of keys) compare(a[inner], b[inner], Array.isArray(a) ? key : inner);
    } else if (a !== b && !free.has(names.get(key) ?? key)) found.add(names.get(key) ?? key);
  };
  compare(before, after, "scenario");
  // What follows a changed option is not named beyond it
  for (const name of [...found]) {
    for (const follower of FOLLOWERS[name] ?? []) found.delete(follower);
  }
  return [...found];
}
