// SPDX-License-Identifier: GPL-2.0-only

/**
 * What traces say: the words that lessons have for it, as in lab/traces.py, whose docstrings tell
 * more. tests/lab/test_lab_lessons.py holds the two against each other.
 */

/** @typedef {import("./lesson-types.js").TraceWindow} TraceWindow */
/** @typedef {Record<string, Float64Array>} Table columns by name; NaN where a field is empty */
/** @typedef {{cwnd: Table, queue: Table, drops: Table}} Traces */

/**
 * @param {{cwnd: string, queue: string, drops: string}} texts CSV, as laboratory.record() gives it
 * @returns {Traces}
 */
export function readTraces(texts) {
  return {
    cwnd: readTable(texts.cwnd),
    queue: readTable(texts.queue),
    drops: readTable(texts.drops),
  };
}

/** @param {string} text CSV of numbers with a line of names @returns {Table} */
function readTable(text) {
  const [head, ...lines] = text.trim().split("\n");
  const names = head.trim().split(",");
  const columns = names.map(() => new Float64Array(lines.length));
  lines.forEach((line, row) => {
    const fields = line.split(",");
    columns.forEach((column, place) => {
      const field = (fields[place] ?? "").trim();
      column[row] = field === "" ? NaN : Number(field);
    });
  });
  return Object.fromEntries(names.map((name, place) => [name, columns[place]]));
}

/**
 * @param {Table} table
 * @param {TraceWindow} window
 * @param {number} [begin] s; the window's own if it is left out
 * @returns {number[]} the rows that are meant
 */
function rowsOf(table, window, begin = window.begin) {
  const rows = [];
  for (let row = 0; row < table.time_s.length; row += 1) {
    const time = table.time_s[row];
    if (time >= begin && time <= window.end && isMine(table, window, row)) rows.push(row);
  }
  return rows;
}

/** @param {Table} table @param {TraceWindow} window @param {number} row */
function isMine(table, window, row) {
  return /** @type {const} */ (["session", "connection"]).every((name) => {
    const wanted = window[name];
    return wanted === null || !(name in table) || table[name][row] === wanted;
  });
}

/** @param {Table} table @param {number} row @returns {string} which connection it is of */
function keyOf(table, row) {
  return `${table.session[row]} ${table.chunk[row]} ${table.connection[row]}`;
}

/** @param {Table} drops @param {number[]} rows @returns {number} of how many connections they are */
function connections(drops, rows) {
  const own = rows.filter((row) => !Number.isNaN(drops.connection[row]));
  return new Set(own.map((row) => keyOf(drops, row))).size;
}

/** @param {Traces} traces @param {TraceWindow} window @returns {number[][]} rows of each loss event */
function events({ drops }, window) {
  /** @type {number[][]} */
  const found = [];
  let before = -Infinity;
  for (const row of rowsOf(drops, window)) {
    const time = drops.time_s[row];
    if (time - before >= window.gap) found.push([]);
    found[found.length - 1].push(row);
    before = time;
  }
  return found;
}

/** @param {number[]} values @returns {number} NaN of none */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return NaN;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {number[]} values @returns {number} NaN of none */
function mean(values) {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * @param {Table} table
 * @param {number[]} rows
 * @param {string} name of the column
 * @param {1 | -1} sign 1 for the largest, -1 for the smallest
 * @returns {number} NaN of none
 */
function extreme(table, rows, name, sign) {
  let found = NaN;
  for (const row of rows) {
    const value = table[name][row];
    if (Number.isNaN(found) || sign * value > sign * found) found = value;
  }
  return found;
}

/** @param {Table} table @param {TraceWindow} window @param {string} name @returns {number} */
function lastValue(table, window, name) {
  const rows = rowsOf(table, window, -Infinity);
  return rows.length === 0 ? NaN : table[name][rows[rows.length - 1]];
}

/** @param {Traces} traces @param {TraceWindow} window @returns {number} */
function cutShare({ cwnd }, window) {
  /** @type {Map<string, number>} */
  const before = new Map();
  const shares = [];
  for (const row of rowsOf(cwnd, window, -Infinity)) {
    const ssthresh = cwnd.ssthresh_bytes[row];
    const key = keyOf(cwnd, row);
    const isNew = !Number.isNaN(ssthresh) && ssthresh !== before.get(key);
    if (isNew && cwnd.time_s[row] >= window.begin) shares.push(ssthresh / cwnd.cwnd_bytes[row]);
    before.set(key, ssthresh);
  }
  return median(shares);
}

/** @param {Traces} traces @param {TraceWindow} window @returns {number} */
function lossInterval(traces, window) {
  const begins = events(traces, window).map(([row]) => traces.drops.time_s[row]);
  return median(begins.slice(1).map((begin, place) => begin - begins[place]));
}

/** @type {Record<string, (traces: Traces, window: TraceWindow) => number>} */
export const WORDS = {
  drops: ({ drops }, window) => rowsOf(drops, window).length,
  "first-drop": ({ drops }, window) => extreme(drops, rowsOf(drops, window), "time_s", -1),
  "connections-with-drops": ({ drops }, window) => connections(drops, rowsOf(drops, window)),
  "loss-events": (traces, window) => events(traces, window).length,
  "loss-interval": lossInterval,
  "connections-per-loss": (traces, window) =>
    mean(events(traces, window).map((rows) => connections(traces.drops, rows))),
  "cwnd-at": ({ cwnd }, window) => lastValue(cwnd, window, "cwnd_bytes"),
  "queue-at": ({ queue }, window) => lastValue(queue, window, "packets"),
  "largest-cwnd": ({ cwnd }, window) => extreme(cwnd, rowsOf(cwnd, window), "cwnd_bytes", 1),
  "smallest-cwnd": ({ cwnd }, window) => extreme(cwnd, rowsOf(cwnd, window), "cwnd_bytes", -1),
  "largest-queue": ({ queue }, window) => extreme(queue, rowsOf(queue, window), "packets", 1),
  "cut-share": cutShare,
};

/** Columns of the words that can be drawn over time. */
const DRAWN = {
  "cwnd-at": /** @type {const} */ (["cwnd", "cwnd_bytes"]),
  "queue-at": /** @type {const} */ (["queue", "packets"]),
};

/**
 * @param {Traces} traces
 * @param {"cwnd-at" | "queue-at"} word
 * @param {TraceWindow} window its end is the last moment
 * @returns {{x: number[], y: number[]}} every change of it, from the beginning on
 */
export function overTime(traces, word, window) {
  const [name, column] = DRAWN[word];
  const table = traces[name];
  const rows = rowsOf(table, window, -Infinity);
  return {
    x: rows.map((row) => table.time_s[row]),
    y: rows.map((row) => table[column][row]),
  };
}
