// SPDX-License-Identifier: GPL-2.0-only

/** N over the chunks as SVG; how lines look is told by classes in tuner.css. */

const SVG = "http://www.w3.org/2000/svg";

/** Of a chart, in units of its own that are about CSS pixels. */
const WIDTH = 340;
const HEIGHT = 170;
const PLOT = { left: 28, right: 332, top: 10, bottom: 138 };

/** Lines that lie on each other are this far apart: whoever draws them so is still seen. */
const APART = 1.6;

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} [children]
 * @returns {SVGElement}
 */
function shape(tag, attributes, children = []) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * @param {number} most
 * @returns {number} step of an axis up to there, with at most four of them
 */
function stepFor(most) {
  let step = 1;
  while (step * 4 < most) step *= 2;
  return step;
}

/**
 * @param {number[][]} lists N of each chunk, of each contender; the first is drawn on top
 * @param {string} name of the chart, for who does not see it
 * @returns {SVGElement}
 */
export function drawChart(lists, name) {
  const chunks = Math.max(...lists.map((list) => list.length));
  const step = stepFor(Math.max(...lists.flat()));
  const largest = 4 * step;
  const x = (/** @type {number} */ chunk) =>
    PLOT.left + ((PLOT.right - PLOT.left) * chunk) / chunks;
  const y = (/** @type {number} */ n) => PLOT.bottom - ((PLOT.bottom - PLOT.top) * n) / largest;
  const parts = [0, 1, 2, 3, 4].map((count) =>
    shape("g", {}, gridLine(y(count * step), count * step)),
  );
  for (let chunk = 1; chunk <= chunks; chunk += chunk === 1 ? 3 : 4) {
    const at = { class: "chart-text", x: (x(chunk - 1) + x(chunk)) / 2, y: PLOT.bottom + 14 };
    parts.push(shape("text", { ...at, "text-anchor": "middle" }, [String(chunk)]));
  }
  const middle = (PLOT.left + PLOT.right) / 2;
  const below = { class: "chart-text", x: middle, y: HEIGHT - 4, "text-anchor": "middle" };
  parts.push(shape("text", below, ["chunk"]));
  lists.forEach((list, index) => {
    const shift = APART * (index - (lists.length - 1) / 2);
    const d = list
      .map((n, chunk) => {
        const level = (y(n) + shift).toFixed(1);
        return `${chunk ? "L" : "M"}${x(chunk).toFixed(1)} ${level}H${x(chunk + 1).toFixed(1)}`;
      })
      .join("");
    parts.push(shape("path", { class: `race-line race-line-${index}`, d }));
  });
  const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": name };
  return shape("svg", { ...box, class: "race-chart" }, [
    ...parts.slice(0, -lists.length),
    ...parts.slice(-lists.length).reverse(),
  ]);
}

/**
 * @param {number} at
 * @param {number} n
 * @returns {SVGElement[]} a line of the grid with its number
 */
function gridLine(at, n) {
  return [
    shape("path", { class: "chart-grid", d: `M${PLOT.left} ${at}H${PLOT.right}` }),
    shape("text", { class: "chart-text", x: PLOT.left - 5, y: at + 4, "text-anchor": "end" }, [
      String(n),
    ]),
  ];
}

/** @param {number} index of a contender @returns {SVGElement} its line, for a legend */
export function drawSample(index) {
  return shape("svg", { class: "race-sample", viewBox: "0 0 26 8", "aria-hidden": "true" }, [
    shape("path", { class: `race-line race-line-${index}`, d: "M0 4H26" }),
  ]);
}
