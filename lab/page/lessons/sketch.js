// SPDX-License-Identifier: GPL-2.0-only

/**
 * A curve drawn by hand: on axes with pen, mouse or finger, or written as numbers in fields, which do
 * the same for keyboard and screen reader. Afterwards the real curve is laid over it.
 */

import { element } from "../dom.js";
import { readTheme, watchTheme } from "../views/colours.js";

/** @typedef {(number | null)[]} Values one for each x; null: not drawn yet */

/**
 * @typedef {object} Axes
 * @property {number[]} x where there are points
 * @property {string[]} at the same as texts
 * @property {string} labelX
 * @property {string} labelY
 * @property {string} unit of y
 * @property {number} maximum of y
 */

/** @type {any} the drawing library is loaded by the page, as a global */
const library = () => /** @type {any} */ (globalThis).uPlot;

const HEIGHT = 240;
const STEPS = 500;

export class Sketch {
  /** Called when a value has changed. */
  onChange = () => {};

  #axes;
  /** @type {Values} */
  #values;
  /** @type {{x: number[], y: number[]} | null} */
  #real = null;
  #plot;
  #chart;
  /** @type {HTMLInputElement[]} */
  #fields;
  #tools;
  #key;
  #locked = false;
  /** @type {{x: number, y: number} | null} where the pen was last */
  #pen = null;
  #end;

  /**
   * @param {HTMLElement} host within the page: its colours count
   * @param {Axes} axes
   * @param {Values} [values] drawn before
   */
  constructor(host, axes, values = axes.x.map(() => null)) {
    this.#axes = axes;
    this.#values = [...values];
    this.#chart = element("div", { class: "sketch-chart", "aria-hidden": "true" });
    this.#fields = axes.at.map((text, place) => this.#makeField(text, place));
    this.#tools = this.#makeTools();
    this.#key = element("p", { class: "sketch-key" }, [
      element("span", { class: "sketch-mine" }, [`${axes.labelY} as you expect it (dashed)`]),
    ]);
    host.append(this.#chart, this.#key, this.#tools);
    this.#plot = this.#makePlot();
    const resized = new ResizeObserver(() => this.#fit());
    resized.observe(this.#chart);
    const unwatch = watchTheme(() => this.#remake());
    this.#end = () => {
      resized.disconnect();
      unwatch();
      this.#plot.destroy();
    };
    this.#fit();
  }

  /** @returns {Values} what is drawn */
  get values() {
    return [...this.#values];
  }

  /** @returns {number} how many points have no value yet */
  get missing() {
    return this.#values.filter((value) => value === null).length;
  }

  /** Nothing more can be drawn. */
  lock() {
    this.#locked = true;
    this.#tools.remove();
    this.#chart.classList.add("sketch-locked");
  }

  /** @param {{x: number[], y: number[]}} real the curve to be laid over it */
  reveal(real) {
    this.#real = real;
    this.#key.append(element("span", { class: "sketch-real" }, ["as simulated (solid)"]));
    this.#plot.setData(this.#data());
  }

  /** Ends it: its observers and its plot. */
  destroy() {
    this.#end();
  }

  /** @param {string} text @param {number} place @returns {HTMLInputElement} */
  #makeField(text, place) {
    const { maximum, labelX, unit } = this.#axes;
    const field = /** @type {HTMLInputElement} */ (
      element("input", {
        type: "number",
        min: "0",
        max: String(maximum),
        step: "any",
        inputmode: "decimal",
        "aria-label": `${labelX}: ${text}, in ${unit}`,
      })
    );
    field.value = shown(this.#values[place]);
    field.addEventListener("input", () => {
      const value = field.value === "" ? null : Number(field.value);
      this.#values[place] = value === null ? null : this.#bounded(value);
      this.#changed();
    });
    return field;
  }

  #makeTools() {
    const { at, labelX, labelY, unit } = this.#axes;
    const cells = at.map((text, place) =>
      element("label", {}, [element("span", {}, [text]), this.#fields[place]]),
    );
    const clear = element("button", { type: "button", class: "button" }, ["Clear the drawing"]);
    clear.addEventListener("click", () => {
      this.#values.fill(null);
      this.#writeFields();
      this.#changed();
    });
    return element("div", { class: "sketch-tools" }, [
      clear,
      element("details", { class: "sketch-fields" }, [
        element("summary", {}, ["Write numbers instead"]),
        element("fieldset", {}, [
          element("legend", {}, [`${labelY} in ${unit}, by ${labelX}`]),
          element("div", { class: "sketch-row" }, cells),
        ]),
      ]),
    ]);
  }

  #writeFields() {
    this.#fields.forEach((field, place) => {
      field.value = shown(this.#values[place]);
    });
  }

  #changed() {
    this.#plot.setData(this.#data());
    this.onChange();
  }

  /** @returns {(number | null | undefined)[][]} x, the drawing, the real curve */
  #data() {
    const { x } = this.#axes;
    const real = this.#real ?? { x: [], y: [] };
    const all = [...new Set([...x, ...real.x])].sort((a, b) => a - b);
    const drawn = new Map(x.map((value, place) => [value, this.#values[place]]));
    // Of several values at one moment the last one counts.
    const measured = new Map(real.x.map((value, place) => [value, real.y[place]]));
    return [all, all.map((value) => drawn.get(value)), all.map((value) => measured.get(value))];
  }

  #makePlot() {
    const { x, maximum, labelX, labelY, unit } = this.#axes;
    const theme = readTheme(this.#chart);
    const axis = {
      stroke: theme.text,
      grid: { stroke: theme.faint },
      ticks: { stroke: theme.faint },
    };
    const font = `12px ${theme.font}`;
    const last = x[x.length - 1];
    const plot = new (library())(
      {
        width: 320,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false, range: [0, last * 1.03] }, y: { range: [0, maximum] } },
        axes: [
          { ...axis, label: labelX, font, labelFont: font, labelSize: 22, size: 34 },
          { ...axis, label: `${labelY}, ${unit}`, font, labelFont: font, labelSize: 22, size: 44 },
        ],
        series: [
          {},
          {
            stroke: theme.series[1],
            width: 2,
            dash: [7, 5],
            spanGaps: true,
            points: { show: true, size: 8, fill: theme.background },
          },
          {
            stroke: theme.series[0],
            width: 2,
            spanGaps: true,
            // Points where it was measured at few places; a line where it is known all along.
            points: { show: () => this.#real !== null && this.#real.x.length <= x.length },
          },
        ],
      },
      this.#data(),
      this.#chart,
    );
    this.#bindPen(plot.over);
    return plot;
  }

  #remake() {
    this.#plot.destroy();
    this.#plot = this.#makePlot();
    this.#fit();
  }

  #fit() {
    const width = Math.floor(this.#chart.clientWidth);
    if (width > 0) this.#plot.setSize({ width, height: HEIGHT });
  }

  /** @param {HTMLElement} area */
  #bindPen(area) {
    area.addEventListener("pointerdown", (event) => {
      if (this.#locked || event.button !== 0) return;
      area.setPointerCapture(event.pointerId);
      this.#pen = null;
      this.#draw(event, area);
    });
    area.addEventListener("pointermove", (event) => {
      if (this.#pen && area.hasPointerCapture(event.pointerId)) this.#draw(event, area);
    });
    for (const name of ["pointerup", "pointercancel"]) {
      area.addEventListener(name, () => {
        this.#pen = null;
      });
    }
  }

  /** @param {PointerEvent} event @param {HTMLElement} area */
  #draw(event, area) {
    const box = area.getBoundingClientRect();
    const x = this.#plot.posToVal(event.clientX - box.left, "x");
    const y = this.#bounded(this.#plot.posToVal(event.clientY - box.top, "y"));
    const from = this.#pen ?? { x, y };
    this.#pen = { x, y };
    const nearest = nearestPlace(this.#axes.x, x);
    this.#axes.x.forEach((value, place) => {
      const passed = value >= Math.min(from.x, x) && value <= Math.max(from.x, x);
      if (passed) this.#values[place] = this.#bounded(between(from, { x, y }, value));
      else if (place === nearest) this.#values[place] = y;
    });
    this.#writeFields();
    this.#changed();
  }

  /** @param {number} value @returns {number} within the axis, and no finer than one can draw */
  #bounded(value) {
    const { maximum } = this.#axes;
    const step = maximum / STEPS;
    const rounded = Math.round(Math.min(maximum, Math.max(0, value)) / step) * step;
    return Number(rounded.toPrecision(6));
  }
}

/** @param {number[]} values @param {number} x @returns {number} place of the nearest one */
function nearestPlace(values, x) {
  const distances = values.map((value) => Math.abs(value - x));
  return distances.indexOf(Math.min(...distances));
}

/**
 * @param {{x: number, y: number}} a
 * @param {{x: number, y: number}} b
 * @param {number} x
 * @returns {number} y on the line from a to b
 */
function between(a, b, x) {
  return a.x === b.x ? b.y : a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x);
}

/** @param {number | null} value @returns {string} */
function shown(value) {
  return value === null ? "" : String(Number(value.toPrecision(4)));
}
