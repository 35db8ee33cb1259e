// SPDX-License-Identifier: GPL-2.0-only

/** N of each chunk as somebody decides it, "2:2:6": the option chunk-parallelism. */

/**
 * @param {string} text
 * @returns {number[]} N of each chunk
 */
export function readList(text) {
  return text.split(":").map(Number);
}

/**
 * @param {number[]} list
 * @returns {string}
 */
export function writeList(list) {
  return list.join(":");
}

/**
 * @param {number[]} list
 * @param {number} chunk index
 * @returns {number} its N: behind the end of the list the last one goes on
 */
export function numberOf(list, chunk) {
  return list[Math.min(chunk, list.length - 1)] ?? 1;
}

/**
 * @param {number[]} list
 * @param {number} chunk index
 * @param {number} n what is decided for it
 * @returns {number[]} what is decided then: the same, if that was its N already; else nothing is
 *     decided of the chunks behind it
 */
export function decide(list, chunk, n) {
  if (chunk < list.length && list[chunk] === n) return list;
  const before = Array.from({ length: chunk }, (_, index) => numberOf(list, index));
  return [...before, n];
}

/**
 * @param {number[]} list
 * @returns {string} for a reader, equal ones that follow each other once: "1, 2 (3 times), 6"
 */
export function describeList(list) {
  /** @type {{n: number, times: number}[]} */
  const parts = [];
  for (const n of list) {
    const last = parts.at(-1);
    if (last?.n === n) last.times += 1;
    else parts.push({ n, times: 1 });
  }
  return parts.map(({ n, times }) => (times > 1 ? `${n} (${times} times)` : `${n}`)).join(", ");
}
