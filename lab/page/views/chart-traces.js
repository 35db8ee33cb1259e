// SPDX-License-Identifier: GPL-2.0-only

/** A frame as the charts show it: what is drawn, what is left out, the values at one moment. */

/** @typedef {import("../engine/laboratory.js").Frame} Frame */
/** @typedef {import("../engine/laboratory.js").ChartData["windows"][number]} WindowTrace */
/** @typedef {import("./chart-paths.js").Step} Step */

/** With more connections than this, lines are thin and solid, and a legend says nothing. */
const FEW_CONNECTIONS = 16;
/** More connections' windows than this are not drawn: they would hide one another. */
const MOST_WINDOWS = 128;
/** So many points of windows are drawn at most, that a frame's time is kept. */
const MOST_POINTS = 32000;

/**
 * @typedef {object} Traces
 * @property {import("../engine/laboratory.js").ChartData} charts
 * @property {WindowTrace[]} windows those drawn
 * @property {number} total how many there are
 * @property {boolean} few whether each has a legend and its extremes
 * @property {number} stride every how many bins of windows are drawn
 * @property {number} now
 * @property {Step[][]} goodputs of each session, complete chunks
 * @property {Step[][]} parallelism of each session
 * @property {number[]} restarts when a client has begun anew, s
 */

/**
 * @param {Frame} frame with charts
 * @returns {Traces}
 */
export function tracesOf(frame) {
  const charts = /** @type {import("../engine/laboratory.js").ChartData} */ (frame.charts);
  const total = charts.windows.length;
  const every = Math.max(1, Math.ceil(total / MOST_WINDOWS));
  const windows = charts.windows.filter((_, index) => index % every === 0);
  return {
    charts,
    windows,
    total,
    few: total <= FEW_CONNECTIONS && windows.every(({ min }) => min.length > 0),
    stride: Math.max(1, Math.ceil((windows.length * charts.times.length) / MOST_POINTS)),
    now: frame.now,
    restarts: frame.sessions.flatMap(({ restarts = [] }) =>
      restarts.map(({ time, wait }) => time + wait),
    ),
    goodputs: frame.sessions.map(({ chunks }) =>
      chunks.map(({ start, end, goodput }) => ({ begin: start, end, value: goodput })),
    ),
    parallelism: frame.sessions.map((session) => {
      const steps = session.chunks.map(({ start, end, parallelism }) => ({
        begin: start,
        end,
        value: parallelism,
      }));
      if (session.transferring) {
        steps.push({ begin: session.chunkStart, end: frame.now, value: session.parallelism });
      }
      return steps;
    }),
  };
}

/**
 * @param {Traces} traces
 * @returns {string} which series there are: another one needs other charts
 */
export function signature({ windows, few, charts }) {
  const names = windows.map(({ session, connection }) => `${session}.${connection}`);
  return `${names.join(" ")} ${few} ${charts.intervals.goodputs.length}`;
}

/**
 * @param {ArrayLike<number>[]} series
 * @returns {number} the largest of all, without what is not a number; 0 where there is none
 */
export function largest(series) {
  let most = 0;
  for (const values of series) {
    for (let at = 0; at < values.length; at += 1) {
      if (values[at] > most && values[at] < Number.POSITIVE_INFINITY) most = values[at];
    }
  }
  return most;
}

/**
 * @param {Step[]} steps
 * @param {number} begin
 * @param {number} end
 * @returns {number} the largest value that is seen between the two
 */
export function largestStep(steps, begin, end) {
  let most = 0;
  for (const step of steps) {
    if (step.end >= begin && step.begin <= end && step.value > most) most = step.value;
  }
  return most;
}

/**
 * @param {Step[]} steps
 * @param {number} time
 * @returns {number | null}
 */
export function valueAt(steps, time) {
  for (let at = steps.length - 1; at >= 0; at -= 1) {
    if (steps[at].begin <= time) return time <= steps[at].end ? steps[at].value : null;
  }
  return null;
}

/**
 * @param {Traces} traces
 * @param {number} time
 * @returns {number} the interval of that time, or the last one before it; below 0: there is none
 */
export function intervalAt({ charts }, time) {
  return charts.intervals.begins.findLastIndex((begin) => begin <= time);
}

/**
 * @param {Traces} traces
 * @param {number} time
 * @returns {number} the bin of that time, or the last one with something in it
 */
export function binAt({ charts, now }, time) {
  const { begin, end, times } = charts;
  const share = (Math.min(time, now) - begin) / (end - begin);
  return Math.min(times.length - 1, Math.max(0, Math.floor(share * times.length)));
}
