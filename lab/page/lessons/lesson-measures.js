// SPDX-License-Identifier: GPL-2.0-only

/** Measures and conditions of lessons, worked out by the engine in the page: as lab/measures.py. */

import { overTime, readTraces, WORDS } from "./lesson-traces.js";

/** @typedef {import("./lesson-types.js").Scenario} Scenario */
/** @typedef {import("./lesson-types.js").Measure} Measure */
/** @typedef {import("./lesson-types.js").Quantity} Quantity */
/** @typedef {import("./lesson-types.js").Condition} Condition */
/** @typedef {import("./lesson-types.js").Bounds} Bounds */
/** @typedef {import("./lesson-types.js").LaboratoryLike} LaboratoryLike */
/** @typedef {import("./lesson-traces.js").Traces} Traces */

/** @type {Record<string, (values: any[]) => any>} */
const AGGREGATES = {
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  mean: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  count: (values) => values.length,
  list: (values) => values,
  changes: (values) => values.filter((value, place) => place === 0 || value !== values[place - 1]),
};

/**
 * @param {any} result of laboratory.run()
 * @param {string} measure paths with " + " between them, each perhaps with an aggregate before it
 * @returns {any}
 * @throws {Error} there is no such thing in the result
 */
export function lookUp(result, measure) {
  const terms = measure.split(" + ").map((text) => term(result, text));
  return terms.length === 1 ? terms[0] : AGGREGATES.sum(terms);
}

/** @param {any} result @param {string} text @returns {any} */
function term(result, text) {
  const [path, of] = text.split(" ").reverse();
  const values = follow(result, path.split("."), text);
  if (of === undefined) return values[0];
  if (values.length === 0) throw new Error(`"${text}" has no values: the result is empty there`);
  return AGGREGATES[of](values);
}

/** @param {any} value @param {string[]} parts @param {string} text @returns {any[]} */
function follow(value, parts, text) {
  if (parts.length === 0) return [value];
  const [part, ...rest] = parts;
  if (part === "*" && Array.isArray(value)) return value.flatMap((one) => follow(one, rest, text));
  const inner = value?.[part];
  if (inner === undefined) throw new Error(`"${text}" is not in the result: there is no "${part}"`);
  return follow(inner, rest, text);
}

/** @param {Bounds} bounds @param {any} value @returns {boolean} whether the value is within them */
export function within(bounds, value) {
  if (bounds.equals !== undefined) return same(value, bounds.equals);
  if (typeof value !== "number") return false;
  return value >= (bounds.low ?? -Infinity) && value <= (bounds.high ?? Infinity);
}

/** @param {any} a @param {any} b */
function same(a, b) {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((value, place) => value === b[place]);
}

/** Has the engine work things out, every scenario once. */
export class Judge {
  #laboratory;
  /** @type {Map<string, Promise<any>>} */
  #results = new Map();
  /** @type {Map<string, {end: number, traces: Promise<Traces>}>} */
  #traces = new Map();

  /** @param {LaboratoryLike} laboratory */
  constructor(laboratory) {
    this.#laboratory = laboratory;
  }

  /** Ends what is under way: who waits for it gets an Error named "Cancelled". */
  cancel() {
    this.#laboratory.cancel();
  }

  /** @param {Scenario} scenario @returns {Promise<any>} its result */
  result(scenario) {
    const key = JSON.stringify(scenario);
    let found = this.#results.get(key);
    if (!found) {
      found = this.#laboratory.run(scenario);
      this.#results.set(key, found);
      found.catch(() => this.#results.delete(key));
    }
    return found;
  }

  /**
   * @param {Scenario} scenario
   * @param {number} end s, at least so far
   * @returns {Promise<Traces>}
   */
  traces(scenario, end) {
    const key = JSON.stringify(scenario);
    const found = this.#traces.get(key);
    if (found && found.end >= end) return found.traces;
    const traces = this.#laboratory
      .record(scenario, { begin: 0, end, until: end })
      .then(readTraces);
    this.#traces.set(key, { end, traces });
    traces.catch(() => this.#traces.delete(key));
    return traces;
  }

  /** @param {Measure} measure @returns {Promise<any>} */
  async measure(measure) {
    if (measure.trace && measure.window) {
      const traces = await this.traces(measure.scenario, measure.window.end);
      return WORDS[measure.trace](traces, measure.window);
    }
    return lookUp(await this.result(measure.scenario), measure.measure ?? "");
  }

  /** @param {Quantity} quantity @returns {Promise<any>} null where it is divided by 0 */
  async value(quantity) {
    const value = await this.measure(quantity);
    if (!quantity.ratioTo) return value;
    const divisor = await this.measure(quantity.ratioTo);
    return divisor ? value / divisor : null;
  }

  /** @param {Condition[]} conditions @returns {Promise<boolean>} whether all of them hold */
  async hold(conditions) {
    for (const condition of conditions) {
      if (!within(condition.bounds, await this.value(condition))) return false;
    }
    return true;
  }

  /**
   * @param {{when: Condition[]}[]} choices
   * @returns {Promise<number>} index of the right one; -1 if there is none
   */
  async rightChoice(choices) {
    for (const [index, choice] of choices.entries()) {
      if (await this.hold(choice.when)) return index;
    }
    return -1;
  }

  /**
   * @param {Measure} measure of something over time
   * @returns {Promise<{x: number[], y: number[]}>} every change up to its moment
   */
  async history(measure) {
    const { trace, window, scenario } = measure;
    if (!window || (trace !== "cwnd-at" && trace !== "queue-at")) return { x: [], y: [] };
    return overTime(await this.traces(scenario, window.end), trace, window);
  }
}
