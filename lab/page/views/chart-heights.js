// SPDX-License-Identifier: GPL-2.0-only

/** How high the panels are: as they like, or what the page has room for. */

/** Below the plot of the last panel the time is written; the others keep a little distance. */
export const TIME_HEIGHT = 38;
export const BARE_HEIGHT = 6;
/** A panel's title. */
export const TITLE_HEIGHT = 18;
/** With less the axis has not two numbers above one another. */
const LEAST_PLOT = 38;

/**
 * @param {{height: number}[]} panels with the heights that their plots like
 * @param {number | null} room for all of them, CSS pixels; null: as they like
 * @param {number} [scale] of the page's text
 * @returns {number[]} of plots with their axes
 */
export function panelHeights(panels, room, scale = 1) {
  const below = panels.map(
    (_, index) => (index === panels.length - 1 ? TIME_HEIGHT : BARE_HEIGHT) * scale,
  );
  const liked = sum(panels.map(({ height }) => height));
  const left = room === null ? liked : room - sum(below) - panels.length * TITLE_HEIGHT * scale;
  const plots = shares(
    panels.map(({ height }) => height),
    left,
  );
  return plots.map((plot, index) => plot + below[index]);
}

/**
 * @param {number[]} wishes
 * @param {number} room
 * @returns {number[]} shares of the room; who would get too little gets the least at the others' cost
 */
function shares(wishes, room) {
  /** @type {Set<number>} */
  const least = new Set();
  for (;;) {
    const others = wishes.filter((_, index) => !least.has(index));
    const scale = Math.max(0, room - LEAST_PLOT * least.size) / sum(others);
    const poor = wishes.flatMap((wish, index) =>
      !least.has(index) && wish * scale < LEAST_PLOT ? [index] : [],
    );
    if (poor.length === 0) {
      return wishes.map((wish, index) =>
        least.has(index) ? LEAST_PLOT : Math.floor(wish * scale),
      );
    }
    for (const index of poor) least.add(index);
  }
}

/**
 * @param {number[]} values
 * @returns {number}
 */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
