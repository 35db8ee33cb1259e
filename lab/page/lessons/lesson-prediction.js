// SPDX-License-Identifier: GPL-2.0-only

/** The prediction: asked before anything moves, and later held against what the engine gives. */

import { element, refill } from "../dom.js";
import {
  button,
  choiceFields,
  numberField,
  numberText,
  numberWanted,
  quantityText,
  rendered,
  verdict,
} from "./lesson-text.js";
import { Sketch } from "./sketch.js";
import { compareShapes, shapeOf } from "./sketch-shape.js";

/** @typedef {import("./lesson-types.js").Prediction} Prediction */
/** @typedef {import("./lesson-types.js").ChoiceQuestion} ChoiceQuestion */
/** @typedef {import("./lesson-types.js").NumberQuestion} NumberQuestion */
/** @typedef {import("./lesson-types.js").CurveQuestion} CurveQuestion */
/** @typedef {import("./lesson-types.js").Answer} Answer */
/** @typedef {import("./lesson-measures.js").Judge} Judge */

/**
 * @typedef {object} Asked
 * @property {() => Answer | null} answer null: incomplete
 * @property {() => string} wanted what is missing
 * @property {(call: () => void) => void} watch calls back when the answer has changed
 * @property {() => void} destroy
 */

/**
 * Asks, and calls back once with the answer.
 * @param {HTMLElement} host
 * @param {Prediction} prediction
 * @param {(answer: Answer) => void} commit
 * @returns {() => void} ends it
 */
export function askPrediction(host, prediction, commit) {
  const form = element("form", { class: "lesson-form", novalidate: "" });
  host.append(form);
  const asked = fieldsFor(form, prediction);
  const message = element("p", { class: "lesson-message", role: "status" });
  const done = element("button", { type: "submit", class: "button lesson-main" }, [
    "This is my prediction",
  ]);
  form.append(message, done);
  asked.watch(() => {
    message.textContent = "";
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const answer = asked.answer();
    if (answer === null) message.textContent = asked.wanted();
    else commit(answer);
  });
  return asked.destroy;
}

/** @param {HTMLElement} form @param {Prediction} prediction @returns {Asked} */
function fieldsFor(form, prediction) {
  const destroy = () => {};
  const watch = (/** @type {() => void} */ call) => form.addEventListener("input", call);
  if (prediction.kind === "choice") {
    const { fields, chosen } = choiceFields("Your prediction", prediction.choices, "prediction");
    form.append(fields);
    const answer = () => (chosen() < 0 ? null : chosen());
    return { answer, wanted: () => "Choose one of them.", watch, destroy };
  }
  if (prediction.kind === "number") {
    const { fields, value } = numberField("Your prediction", prediction);
    form.append(fields);
    const answer = () => (Number.isNaN(value()) ? null : value());
    return { answer, wanted: () => numberWanted(prediction), watch, destroy };
  }
  const host = element("div", { class: "sketch" });
  form.append(host);
  const sketch = new Sketch(host, prediction);
  return {
    answer: () => (sketch.missing > 0 ? null : sketch.values),
    wanted: () =>
      `Draw from the left end to the right: ${sketch.missing} of ${prediction.x.length} points ` +
      "have no value yet.",
    watch: (call) => {
      sketch.onChange = call;
    },
    destroy: () => sketch.destroy(),
  };
}

/**
 * Shows a prediction against the engine, which is asked for it.
 * @param {HTMLElement} host
 * @param {Prediction} prediction
 * @param {Answer} answer
 * @param {Judge} judge
 * @returns {() => void} ends it
 */
export function showOutcome(host, prediction, answer, judge) {
  const outcome = new Outcome(host, judge);
  if (prediction.kind === "choice") outcome.show(() => choiceOutcome(prediction, answer, judge));
  else if (prediction.kind === "number") {
    outcome.show(() => numberOutcome(prediction, answer, judge));
  } else outcome.showCurve(prediction, /** @type {(number | null)[]} */ (answer));
  return () => outcome.end();
}

/** @param {ChoiceQuestion} question @param {Answer} answer @param {Judge} judge */
async function choiceOutcome({ choices }, answer, judge) {
  const right = await judge.rightChoice(choices);
  const mine = Number(answer);
  const lines = [
    verdict(mine === right, mine === right ? "Your prediction was right." : "Not right."),
  ];
  const words = element("dl", { class: "lesson-compare" }, [
    element("dt", {}, ["Your answer"]),
    rendered(choices[mine].text, "dd", ""),
    element("dt", {}, ["Simulation"]),
    right < 0 ? element("dd", {}, ["none of these"]) : rendered(choices[right].text, "dd", ""),
  ]);
  return [...lines, words];
}

/** @param {NumberQuestion} question @param {Answer} answer @param {Judge} judge */
async function numberOutcome(question, answer, judge) {
  const { quantity, perUnit, unit, near } = question;
  const right = (await judge.value(quantity)) / perUnit;
  const mine = Number(answer);
  const good = Math.abs(mine - right) <= near * Math.abs(right);
  const words = element("dl", { class: "lesson-compare" }, [
    element("dt", {}, ["Your answer"]),
    element("dd", {}, [quantityText(mine, unit)]),
    element("dt", {}, ["Simulation"]),
    element("dd", {}, [quantityText(right, unit)]),
  ]);
  const text = good ? `Right, within ${near * 100} %.` : `Not right: ${ratioText(mine, right)}.`;
  return [verdict(good, text), words];
}

/** @param {number} mine @param {number} right @returns {string} how far it is */
function ratioText(mine, right) {
  if (mine <= 0 || right <= 0) return "far from it";
  const factor = mine > right ? mine / right : right / mine;
  const by = factor.toFixed(factor < 10 ? 1 : 0);
  return `too ${mine > right ? "much" : "little"} by a factor of ${by}`;
}

/** A place for what the engine gives, with progress until then. */
class Outcome {
  #host;
  #judge;
  /** @type {Sketch | null} */
  #sketch = null;
  #ended = false;

  /** @param {HTMLElement} host @param {Judge} judge */
  constructor(host, judge) {
    this.#host = host;
    this.#judge = judge;
  }

  end() {
    this.#ended = true;
    this.#sketch?.destroy();
  }

  /** @param {() => Promise<HTMLElement[]>} work */
  async show(work) {
    refill(this.#host, element("p", { role: "status" }, ["Simulating ..."]));
    try {
      const lines = await work();
      if (!this.#ended) refill(this.#host, ...lines);
    } catch (error) {
      this.#fail(/** @type {Error} */ (error), () => this.show(work));
    }
  }

  /** @param {CurveQuestion} question @param {(number | null)[]} mine */
  async showCurve(question, mine) {
    this.#sketch?.destroy();
    const place = element("div", { class: "sketch" });
    const state = element("div", { role: "status" });
    refill(this.#host, state, place);
    this.#sketch = new Sketch(place, question, mine);
    this.#sketch.lock();
    try {
      const { values, curve } = await this.#measureCurve(question, state);
      if (this.#ended) return;
      this.#sketch.reveal(curve);
      refill(
        state,
        question.over === "time"
          ? shapes(question, mine, values)
          : closeness(question, mine, values),
      );
      this.#host.append(curveTable(question, mine, values));
    } catch (error) {
      this.#fail(/** @type {Error} */ (error), () => this.showCurve(question, mine), state);
    }
  }

  /** @param {CurveQuestion} question @param {HTMLElement} state */
  async #measureCurve({ over, measures, x, perUnit }, state) {
    const isTime = over === "time";
    // The longest one first: the others are parts of it.
    if (isTime) await judgeLast(this.#judge, measures);
    const bar = element("progress", { max: String(x.length), "aria-label": "Simulations" });
    const cancel = button("Cancel", () => this.#judge.cancel());
    const told = element("span", {}, [""]);
    if (!isTime) refill(state, bar, told, cancel);
    const values = [];
    for (const measure of measures) {
      /** @type {HTMLProgressElement} */ (bar).value = values.length;
      told.textContent = ` ${values.length} of ${x.length} simulations `;
      values.push((await this.#judge.measure(measure)) / perUnit);
    }
    if (!isTime) return { values, curve: { x, y: values } };
    const { x: times, y } = await this.#judge.history(measures[measures.length - 1]);
    return { values, curve: { x: times, y: y.map((value) => value / perUnit) } };
  }

  /** @param {Error} error @param {() => void} again @param {HTMLElement} [place] */
  #fail(error, again, place = this.#host) {
    if (this.#ended) return;
    const why = error.name === "Cancelled" ? "Cancelled." : error.message;
    refill(
      place,
      element("p", { class: "lesson-message" }, [why]),
      button("Simulate again", again),
    );
  }
}

/** @param {Judge} judge @param {import("./lesson-types.js").Measure[]} measures */
async function judgeLast(judge, measures) {
  await judge.measure(measures[measures.length - 1]);
}

/** @param {CurveQuestion} question @param {(number | null)[]} mine @param {number[]} values */
function closeness({ near }, mine, values) {
  const close = values.filter((value, place) => isNear(mine[place], value, near)).length;
  const points = `${close} of ${values.length} points`;
  const text = `Your curve is within ${near * 100} % of the simulated curve at ${points}.`;
  return element("p", {}, [`${text} Compare the shapes as well: they matter more.`]);
}

/** @param {CurveQuestion} question @param {(number | null)[]} mine @param {number[]} values */
function shapes({ x, near, unit }, mine, values) {
  const own = shapeOf(
    x,
    mine.map((value) => value ?? 0),
  );
  const compared = compareShapes(own, shapeOf(x, values), near);
  const close = compared.filter((one) => one.near).length;
  const told = { period: "Time from peak to peak", height: "Height of a tooth", mean: "Mean" };
  const text = (/** @type {number | null} */ value, /** @type {string} */ of) =>
    value === null ? "no two peaks" : quantityText(value, of);
  const rows = compared.flatMap(({ name, mine: yours, right, near: isClose }) => {
    const of = name === "period" ? "s" : unit;
    const words = `yours ${text(yours, of)}, simulated ${text(right, of)}`;
    return [
      element("dt", {}, [told[name]]),
      element("dd", {}, [`${words}${isClose ? ": near" : ""}`]),
    ];
  });
  const all = `Your curve is within ${near * 100} % of the simulated curve in ${close} of 3 properties.`;
  return element("div", {}, [
    element("p", {}, [all]),
    element("dl", { class: "lesson-compare" }, rows),
  ]);
}

/** @param {number | null} mine @param {number} right @param {number} near */
function isNear(mine, right, near) {
  return mine !== null && Math.abs(mine - right) <= near * Math.abs(right);
}

/** @param {CurveQuestion} question @param {(number | null)[]} mine @param {number[]} values */
function curveTable({ at, labelX, labelY, unit, near }, mine, values) {
  const rows = values.map((value, place) =>
    element("tr", {}, [
      element("th", { scope: "row" }, [at[place]]),
      element("td", {}, [numberText(mine[place] ?? NaN)]),
      element("td", {}, [numberText(value)]),
      element("td", {}, [isNear(mine[place], value, near) ? "near" : ""]),
    ]),
  );
  const heads = [labelX, "yours", "engine", "how far"];
  const cells = heads.map((text) => element("th", { scope: "col" }, [text]));
  return element("details", { class: "lesson-table" }, [
    element("summary", {}, ["As a table"]),
    element("table", {}, [
      element("caption", {}, [`${labelY}, ${unit}`]),
      element("thead", {}, [element("tr", {}, cells)]),
      element("tbody", {}, rows),
    ]),
  ]);
}
