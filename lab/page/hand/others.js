// SPDX-License-Identifier: GPL-2.0-only

/** What tuners, and the best fixed N, make of the path on which somebody has tuned by hand. */

import { toDraft, toScenario } from "../address/scenario.js";

/** @typedef {import("../engine/laboratory.js").Scenario} Scenario */
/** @typedef {import("../engine/laboratory.js").Option} Option */

/**
 * How one of them did. duration: from connecting to the end, s; drops: packets that the bottleneck
 * refused; list: N of each chunk.
 * @typedef {{name: string, duration: number, drops: number, list: number[]}} Outcome
 */

/** Whom the comparison is with, as words of the option mode. */
const TUNERS = ["mi", "mi-plus", "aimd"];

/** Up to which N the best fixed one is looked for. */
const MOST = 64;

/**
 * @param {(scenario: Scenario) => Promise<any>} run simulates to the end, and gives the result
 * @param {Scenario} scenario by hand
 * @param {Option[]} options the option table
 * @param {(done: number) => void} onProgress how many transfers are simulated
 * @returns {Promise<Outcome[]>} by hand, the tuners, the best fixed N
 * @throws {Error} a transfer that fails, or as `run`
 */
export async function compare(run, scenario, options, onProgress) {
  const draft = toDraft(scenario, options);
  let done = 0;
  const measure = async (
    /** @type {string} */ name,
    /** @type {Record<string, string>} */ changed,
  ) => {
    const result = await run(toScenario({ ...draft, texts: { ...draft.texts, ...changed } }));
    onProgress(++done);
    return outcomeOf(name, result);
  };
  const rows = [await measure("by hand", {})];
  for (const mode of TUNERS) {
    rows.push(await measure(mode.toUpperCase().replace("-PLUS", "+"), { mode }));
  }
  const fixed = (/** @type {number} */ n) =>
    measure(`fixed, N = ${n}`, { mode: "fixed", parallelism: String(n) });
  rows.push(await findBest(fixed));
  return rows;
}

/**
 * Doubles N until that is no faster, then tries all between the neighbours of the best.
 * @param {(n: number) => Promise<Outcome>} measure
 * @returns {Promise<Outcome>} the fastest; of equal ones that with fewer connections
 */
export async function findBest(measure) {
  /** @type {Map<number, Outcome>} */
  const known = new Map();
  const at = async (/** @type {number} */ n) => {
    const outcome = known.get(n) ?? (await measure(n));
    known.set(n, outcome);
    return outcome;
  };
  let best = 1;
  while (2 * best <= MOST && (await at(2 * best)).duration < (await at(best)).duration) best *= 2;
  for (let n = Math.floor(best / 2) + 1; n < Math.min(2 * best, MOST); ++n) await at(n);
  const all = [...known.entries()].sort(([a], [b]) => a - b).map(([, outcome]) => outcome);
  return all.reduce((least, one) => (one.duration < least.duration ? one : least));
}

/**
 * @param {string} name
 * @param {any} result of a transfer
 * @returns {Outcome}
 */
function outcomeOf(name, result) {
  const [session] = result.sessions;
  if (result.status !== "done") throw new Error(`${name}: ${result.reason}`);
  return {
    name,
    duration: session.duration_s,
    drops: result.links[0].drops,
    list: session.gridftp.chunks.map((/** @type {any} */ chunk) => chunk.parallelism),
  };
}
