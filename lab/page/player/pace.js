// SPDX-License-Identifier: GPL-2.0-only

/** What a speed means: whether packets can be seen, how long a step is, whether it is reached. */

/** @typedef {import("../views/view-types.js").Scenario} Resolved */

/** Single packets can be seen where one takes at least so long across the bottleneck, s. */
const VISIBLE_CROSSING_S = 0.1;

/** Real time over which the speed is measured, ms, and what share of it counts as reached. */
const MEASURE_MS = 500;
const REACHED_SHARE = 0.8;

/**
 * @param {Resolved | null} scenario
 * @param {number} speed simulated seconds in a real one
 */
export function arePacketsVisible(scenario, speed) {
  const crossing = (scenario?.delay_s ?? 0) + packetSeconds(scenario);
  return crossing / speed >= VISIBLE_CROSSING_S;
}

/**
 * @param {Resolved | null} scenario
 * @param {number} speed simulated seconds in a real one
 * @returns {number} to the next moment at which something can be seen, s
 */
export function stepSeconds(scenario, speed) {
  return arePacketsVisible(scenario, speed) ? packetSeconds(scenario) : speed / 10;
}

/** @param {Resolved | null} scenario */
function packetSeconds(scenario) {
  return scenario ? (scenario.packet_size_bytes * 8) / scenario.bandwidth_bps : 0;
}

/** Measures the speed that is really reached. */
export class Pace {
  #began = 0;
  #t = 0;

  /**
   * @param {number} now real time, ms
   * @param {number} t simulated time, s
   */
  start(now, t) {
    this.#began = now;
    this.#t = t;
  }

  /**
   * @param {number} now real time, ms
   * @param {{t: number, speed: number}} state of the player
   * @returns {number | null | undefined} the speed reached; null: the one asked for; undefined: not
   *          known yet
   */
  measure(now, { t, speed }) {
    if (now - this.#began < MEASURE_MS) return undefined;
    const reached = ((t - this.#t) * 1000) / (now - this.#began);
    this.start(now, t);
    return reached < REACHED_SHARE * speed ? reached : null;
  }
}
