// SPDX-License-Identifier: GPL-2.0-only

/** The paths of a race, drawn from its seed: with the same seed the same ones in every browser. */

/** @typedef {import("../engine/laboratory.js").Scenario} Scenario */

/** A path as options. @typedef {{bandwidth: string, delay: string, queue: string}} Path */

/** What all transfers of a race have in common: 16 chunks; N up to 32, and blocks for each of them. */
const TRANSFER = {
  "file-size": "320MB",
  "chunk-size": "20MB",
  "block-size": "256KiB",
  "max-parallelism": "32",
};

/**
 * One path of each kind is drawn, value by value. On short ones with little room in the queue too
 * many connections take most of the goodput away, on long ones too few of them do.
 */
const KINDS = [
  {
    bandwidth: ["40Mbps", "50Mbps", "60Mbps", "80Mbps", "100Mbps"],
    delay: ["1ms", "2ms", "3ms", "4ms", "5ms"],
    queue: ["8p", "10p", "12p", "16p"],
  },
  {
    bandwidth: ["40Mbps", "60Mbps", "80Mbps", "100Mbps", "140Mbps"],
    delay: ["8ms", "10ms", "12ms", "15ms", "18ms"],
    queue: ["40p", "60p", "90p", "120p"],
  },
  {
    bandwidth: ["80Mbps", "100Mbps", "120Mbps", "150Mbps", "200Mbps"],
    delay: ["25ms", "30ms", "35ms", "40ms", "50ms"],
    queue: ["80p", "120p", "180p", "250p"],
  },
];

/** Seeds are whole numbers up to this one. */
export const MOST_SEED = 999_999;

/** @returns {number} a seed that nobody knows beforehand */
export function drawSeed() {
  return Math.floor(Math.random() * (MOST_SEED + 1));
}

/**
 * @param {string} text
 * @returns {number} the seed
 * @throws {Error} one line: it is none
 */
export function readSeed(text) {
  const seed = /^\d{1,6}$/.test(text.trim()) ? Number(text) : -1;
  if (seed < 0) throw new Error(`seed "${text}"; allowed: a whole number from 0 to ${MOST_SEED}`);
  return seed;
}

/**
 * @param {number} seed
 * @returns {Path[]} the paths of a race, in an order that does not tell their kinds
 */
export function drawPaths(seed) {
  const draw = drawerOf(seed);
  const paths = KINDS.map(({ bandwidth, delay, queue }) => ({
    bandwidth: draw(bandwidth),
    delay: draw(delay),
    queue: draw(queue),
  }));
  const shuffled = [];
  while (paths.length > 0) shuffled.push(...paths.splice(paths.indexOf(draw(paths)), 1));
  return shuffled;
}

/**
 * @param {Path} path
 * @param {Record<string, string>} tuning options of it
 * @returns {Scenario}
 */
export function scenarioOf(path, tuning) {
  return { ...TRANSFER, ...path, ...tuning };
}

/**
 * Whole numbers alone (a Weyl sequence, mixed as by SplitMix32), so that no browser rounds otherwise.
 * @param {number} seed
 * @returns {<T>(list: T[]) => T} one of a list
 */
function drawerOf(seed) {
  let state = seed | 0;
  return (list) => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return list[((mixed ^ (mixed >>> 15)) >>> 0) % list.length];
  };
}
