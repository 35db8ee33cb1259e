// SPDX-License-Identifier: GPL-2.0-only

/** Goodput over N: the curve of Eq. (1), its optimum, the chunks so far and where the tuner is now. */
import { drawLines, drawnAtOnce, labelLines, timeAxis, valueAxis } from "./chart-options.js";
import { readTheme, Styles, watchTheme } from "./colours.js";
import { drawChunks } from "./model-points.js";
import { Redraw } from "./motion.js";
import { plainNumbers, rate } from "./quantities.js";
import { record, recordChart, svgFile } from "./svg.js";

/** @typedef {import("../engine/laboratory.js").Frame} Frame */
/** @typedef {import("./view-types.js").Model} Model */
/** @typedef {import("./view-types.js").Scenario} Scenario */

const HEIGHT = 230;
const TITLE_HEIGHT = 66;
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const KEY = ["Line: Eq. (1). Large mark: now.", "Small marks: chunks so far, older ones paler."];

export class ModelChart {
  /** @param {HTMLElement} element takes the chart */
  constructor(element) {
    this.element = element;
    element.classList.add("model-chart");
    this.readout = document.createElement("div");
    this.readout.className = "charts-heading charts-readout";
    this.holder = document.createElement("div");
    this.holder.className = "charts-panel";
    this.holder.setAttribute("role", "img");
    this.holder.style.minHeight = `${HEIGHT}px`;
    const key = document.createElement("p");
    key.className = "model-key";
    key.textContent = KEY.join(" ");
    element.append(this.readout, this.holder, key);
    /** @type {Model | null} */
    this.model = null;
    /** @type {Scenario | null} */
    this.scenario = null;
    /** @type {Frame | null} */
    this.frame = null;
    this.chart = /** @type {any} */ (null);
    this.theme = readTheme(element);
    this.styles = new Styles(this.theme, { sessions: [], background: [] });
    this.pointed = 0;
    this.told = "";
    this.redraw = new Redraw(() => this.draw());
    new ResizeObserver(() => this.resize()).observe(element);
    watchTheme(() => this.rebuild());
  }

  /**
   * @param {Model} model
   * @param {Scenario} scenario resolved
   */
  setModel(model, scenario) {
    this.model = model;
    if (JSON.stringify(scenario) !== JSON.stringify(this.scenario)) this.frame = null;
    this.scenario = scenario;
    this.rebuild();
  }

  /** @param {Frame} frame */
  update(frame) {
    this.frame = frame;
    this.redraw.request();
  }

  /** @returns {string} the chart as it is on the screen, as an SVG file */
  svg() {
    const { width } = this;
    if (this.model === null || width < 1) return svgFile([], this.theme.background, "model");
    const title = record(width, TITLE_HEIGHT, (context) => this.drawTitle(context));
    const picture = recordChart(() => this.make(false, drawnAtOnce));
    return svgFile([title, picture], this.theme.background, this.words());
  }

  /** @returns {number} CSS pixels */
  get width() {
    return this.holder.clientWidth;
  }

  /** Makes the chart anew with the next drawing: another model or theme. */
  rebuild() {
    this.chart?.destroy();
    this.chart = null;
    this.redraw.request();
  }

  resize() {
    if (this.chart !== null && this.chart.width !== this.width && this.width > 0) {
      this.chart.setSize({ width: this.width, height: HEIGHT });
    }
    this.redraw.request();
  }

  draw() {
    if (this.model === null || this.scenario === null || this.width < 1) return;
    if (this.chart === null) {
      this.theme = readTheme(this.element);
      this.styles = new Styles(this.theme, this.scenario);
      this.chart = this.make(true, this.holder);
    } else this.chart.setData(this.data());
    this.tell();
  }

  /**
   * @param {boolean} pointing whether there is a cursor
   * @param {HTMLElement | ((chart: any, begin: () => void) => void)} where
   * @returns {any} a uPlot
   */
  make(pointing, where) {
    const { uPlot } = /** @type {any} */ (globalThis);
    return new uPlot(this.options(pointing), this.data(), where);
  }

  /** @returns {[number[], (number | null)[]]} N and Eq. (1) */
  data() {
    const { goodput_bps: goodputs } = /** @type {Model} */ (this.model);
    return [
      Array.from(goodputs, (_, index) => index + 1),
      Array.from(goodputs, (goodput) => (Number.isNaN(goodput) ? null : goodput)),
    ];
  }

  /**
   * @param {boolean} pointing
   * @returns {any} uPlot's options
   */
  options(pointing) {
    const { theme } = this;
    const across = { ...timeAxis(theme, true), label: "N, parallel connections" };
    return {
      width: this.width,
      height: HEIGHT,
      padding: [8, 12, 0, 0],
      legend: { show: false },
      cursor: pointing
        ? { y: false, points: { show: false }, drag: { setScale: false, x: false } }
        : { show: false },
      scales: {
        x: { time: false, range: () => [0, this.reach()] },
        y: { range: () => [0, this.top()] },
      },
      axes: [
        { ...across, incrs: WHOLE_STEPS, space: 34, values: plainNumbers(1) },
        valueAxis({ unit: "bit/s", per: 1 }, theme, true),
      ],
      series: [
        {},
        { stroke: theme.text, width: 1.5, points: { show: false }, auto: false, pxAlign: 0 },
      ],
      hooks: {
        drawAxes: [(/** @type {any} */ chart) => this.drawReference(chart)],
        draw: [(/** @type {any} */ chart) => this.drawPoints(chart)],
        setCursor: pointing ? [(/** @type {any} */ chart) => this.point(chart)] : [],
      },
    };
  }

  /** @returns {number} the largest N shown */
  reach() {
    const { goodput_bps: goodputs, optimum } = /** @type {Model} */ (this.model);
    const best = Number.isFinite(optimum) ? 2.5 * optimum : 0;
    const seen = this.frame?.sessions.flatMap(({ parallelism, chunks }) => [
      parallelism,
      ...chunks.map((chunk) => chunk.parallelism),
    ]);
    return Math.min(Math.max(8, best, 1.25 * largest(seen ?? [])), Math.max(8, goodputs.length));
  }

  /** @returns {number} the largest goodput shown */
  top() {
    const { goodput_bps: goodputs } = /** @type {Model} */ (this.model);
    const seen = this.frame?.sessions.flatMap(({ goodput, chunks }) => [
      goodput ?? 0,
      ...chunks.map((chunk) => chunk.goodput),
    ]);
    const most = Math.max(largest(goodputs.subarray(0, this.reach())), largest(seen ?? []), 1);
    const bandwidth = this.scenario?.bandwidth_bps ?? 0;
    return 1.12 * (bandwidth < 1.5 * most ? Math.max(bandwidth, most) : most);
  }

  /** @returns {import("./chart-panels.js").Line[]} */
  lines() {
    return [{ value: this.scenario?.bandwidth_bps ?? 0, label: "B" }];
  }

  /** @param {any} chart */
  drawReference(chart) {
    const { optimum } = /** @type {Model} */ (this.model);
    drawLines(chart, this.lines(), this.theme);
    if (!Number.isFinite(optimum) || optimum > this.reach()) return;
    const { ctx, bbox } = chart;
    const ratio = devicePixelRatio;
    const x = chart.valToPos(optimum, "x", true);
    ctx.save();
    ctx.strokeStyle = this.theme.muted;
    ctx.fillStyle = this.theme.muted;
    ctx.lineWidth = ratio;
    ctx.setLineDash([3 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.font = `${Math.round(11 * ratio)}px ${this.theme.font}`;
    ctx.textAlign = "left";
    ctx.textBaseline = "bottom";
    ctx.fillText(`optimum ${optimum}`, x + 4 * ratio, bbox.top + bbox.height - 4 * ratio);
    ctx.restore();
  }

  /** @param {any} chart */
  drawPoints(chart) {
    labelLines(chart, this.lines(), this.theme);
    this.frame?.sessions.forEach((session, index) => {
      drawChunks(chart, session, this.styles.of(index, 0).colour, index, this.theme.background);
    });
  }

  /** @param {any} chart */
  point(chart) {
    const { left } = chart.cursor;
    this.pointed = left === undefined || left < 0 ? 0 : Math.round(chart.posToVal(left, "x"));
    this.tell();
  }

  /** Writes what there is at the pointer, else the optimum. */
  tell() {
    const words = this.words();
    if (words === this.told) return;
    this.told = words;
    this.readout.textContent = words;
    this.holder.setAttribute("aria-label", `Goodput over N. ${words}`);
  }

  /** @returns {string} */
  words() {
    if (this.model === null) return "";
    const { goodput_bps: goodputs, optimum } = this.model;
    const n = this.pointed;
    if (n >= 1 && n <= goodputs.length) {
      const goodput = goodputs[n - 1];
      return Number.isNaN(goodput)
        ? `Eq. (1) has no value for N = ${n}`
        : `Eq. (1) at N = ${n}: ${rate(goodput)}`;
    }
    if (goodputs.length === 0) return "Eq. (1) needs a fixed W, and here W is not fixed";
    if (!Number.isFinite(optimum)) return "Eq. (1) has no optimum here";
    const best = optimum <= goodputs.length ? `, ${rate(goodputs[optimum - 1])}` : "";
    return `Eq. (1): optimum N = ${optimum}${best}`;
  }

  /** @param {CanvasRenderingContext2D} context */
  drawTitle(context) {
    context.fillStyle = this.theme.text;
    context.font = `bold 13px ${this.theme.font}`;
    context.fillText("Goodput over N", 8, 14);
    context.font = `11px ${this.theme.font}`;
    for (const [index, line] of [this.words(), ...KEY].entries()) {
      context.fillText(line, 8, 30 + 15 * index);
    }
  }
}

/**
 * @param {ArrayLike<number>} values
 * @returns {number} the largest; 0 where there is none
 */
function largest(values) {
  let most = 0;
  for (let at = 0; at < values.length; at += 1) if (values[at] > most) most = values[at];
  return most;
}
