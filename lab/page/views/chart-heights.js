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
 * @returns {number[]} of plots with their axes
 */
export function panelHeights(panels, room) {
  const below = panels.map((_, index) => (index === panels.length - 1 ? TIME_HEIGHT : BARE_HEIGHT));
  const liked = sum(panels.map(({ height }) => height));
  const left = room === null ? liked : room - sum(below) - panels.length * TITLE_HEIGHT;
  return panels.map(
    ({ height }, index) => Math.max(LEAST_PLOT, Math.floor((height * left) / liked)) + below[index],
  );
}

/**
 * @param {number[]} values
 * @returns {number}
 */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
