// SPDX-License-Identifier: GPL-2.0-only

/**
 * Two runs as one, for the player: both are simulated up to the same moment, each in a worker of its
 * own. Without a second scenario it is the laboratory as it is.
 */

/** @typedef {import("../engine/laboratory.js").Laboratory} Laboratory */
/** @typedef {import("../engine/laboratory.js").Frame} Frame */
/** @typedef {import("../engine/laboratory.js").Scenario} Scenario */
/** @typedef {import("../engine/laboratory.js").View} View */

export class Pair {
  /** The second scenario in SI numbers, once it is loaded. @type {any} */
  rival = null;
  #own;
  /** @type {Laboratory | null} */
  #other = null;
  /** @type {Promise<Laboratory> | null} the same, on its way */
  #opened = null;
  /** @type {Scenario | null} */
  #wanted = null;

  /** @param {Laboratory} laboratory of the run that the rest of the page is about, A */
  constructor(laboratory) {
    this.#own = laboratory;
  }

  /**
   * Makes ready what compareWith() needs.
   * @param {Scenario} scenario of B
   * @throws {Error} the engine's line: it refuses the scenario
   */
  async prepare(scenario) {
    const problem = await this.#own.check(scenario);
    if (problem) throw new Error(problem);
    this.#opened ??= this.#own.another();
    this.#other = await this.#opened;
  }

  /**
   * From the next load on, B runs beside A.
   * @param {Scenario | null} scenario that is prepared; null: A is alone again, at once
   */
  compareWith(scenario) {
    this.#wanted = scenario;
    if (scenario === null) this.rival = null;
  }

  /**
   * @param {Scenario} scenario of A
   * @param {View} view of both
   * @returns {Promise<any>} A, resolved
   */
  async load(scenario, view) {
    const resolved = await this.#own.load(scenario, view);
    const [other, wanted] = [this.#other, this.#wanted];
    const rival = other && wanted ? await other.load(wanted, view) : null;
    this.rival = this.#wanted === null ? null : rival;
    return resolved;
  }

  /**
   * @param {number} until s
   * @param {{packets?: boolean, charts?: boolean, budgetMs?: number}} wanted in the frame; B has no
   *     packets
   * @returns {Promise<Frame>} A's, with B's as `rival`
   */
  async advance(until, wanted) {
    if (this.rival === null || this.#other === null) return this.#own.advance(until, wanted);
    const [one, other] = await Promise.all([
      this.#own.advance(until, wanted),
      this.#other.advance(until, { ...wanted, packets: false }),
    ]);
    return joined(one, other);
  }
}

/**
 * @param {Frame} one
 * @param {Frame} other
 * @returns {Frame} one's, but for what the player goes by: the time to which both have come, or the one
 *   that is not over, whether both are over, and what both have cost
 */
function joined(one, other) {
  const both = [one, other];
  const running = both.filter(({ ended }) => !ended);
  const times = (running.length > 0 ? running : both).map(({ now }) => now);
  const failed = both.find(({ status }) => status === "failed");
  return {
    ...one,
    now: running.length > 0 ? Math.min(...times) : Math.max(...times),
    ended: running.length === 0,
    status: failed?.status ?? (running.length > 0 ? "running" : "done"),
    reason: failed?.reason ?? null,
    cost: Math.max(one.cost, other.cost),
    own: one,
    rival: other,
  };
}
