// SPDX-License-Identifier: GPL-2.0-only

/** The traces over one time axis: windows, queue, drops, goodput and parallelism, one above the other. */
import { ChartBar, Legend } from "./chart-controls.js";
import { panelHeight, panelOptions, pictured } from "./chart-options.js";
import { PANELS, dataOf } from "./chart-panels.js";
import { signature, tracesOf } from "./chart-traces.js";
import { Styles, readTheme, watchTheme } from "./colours.js";
import { Redraw } from "./motion.js";
import { moment } from "./quantities.js";
import { record, recordChart, svgFile } from "./svg.js";
import { between } from "./time-view.js";

/** @typedef {import("./laboratory.js").Frame} Frame */
/** @typedef {import("./view-types.js").Scenario} Scenario */
/** @typedef {import("./laboratory.js").View} View */
/** @typedef {import("./chart-panels.js").Panel} Panel */
/** @typedef {{panel: Panel, holder: HTMLElement, readout: HTMLElement, chart: any}} Shown */

const TITLE_HEIGHT = 20;
let groups = 0;

export class Charts {
  /** @param {HTMLElement} element takes the charts */
  constructor(element) {
    this.element = element;
    element.classList.add("charts");
    /** @type {(view: View) => void} called when the reader wants to see another time */
    this.onView = () => {};
    /** @type {View} */
    this.view = { kind: "whole" };
    /** @type {Scenario | null} */
    this.scenario = null;
    /** @type {import("./chart-panels.js").Sheet | null} */
    this.sheet = null;
    this.key = `lab-charts-${++groups}`;
    this.drawn = "";
    this.stale = false;
    this.width = 0;
    this.pointed = Number.NaN;
    this.bar = new ChartBar(element, {
      view: (view) => this.wish(view),
      state: () => this.state(),
      ssthresh: (shown) => this.showThresholds(shown),
    });
    this.ssthresh = true;
    /** @type {Set<string>} */
    this.hidden = new Set();
    this.legend = new Legend(element, (key) => this.toggle(key));
    this.shown = PANELS.map((panel) => this.place(panel));
    this.redraw = new Redraw(() => this.draw());
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(element);
    this.stopWatching = watchTheme(() => this.rebuild());
    this.bar.show(this.view);
  }

  /** @param {Scenario} scenario resolved */
  setScenario(scenario) {
    if (JSON.stringify(scenario) === JSON.stringify(this.scenario)) return;
    this.scenario = scenario;
    this.hidden.clear();
    this.stale = true; // what is drawn stays until the first frame of this one comes
  }

  /**
   * What is shown was chosen elsewhere.
   * @param {View} view
   */
  setView(view) {
    this.view = view;
    this.bar.show(view);
  }

  /** @param {Frame} frame */
  update(frame) {
    if (frame.charts === null || this.scenario === null) return;
    const traces = tracesOf(frame);
    if (this.sheet === null || this.stale) {
      this.sheet = this.newSheet(traces);
      this.drawn = "";
      this.stale = false;
    } else this.sheet.traces = traces;
    this.redraw.request();
  }

  /** @returns {string} all panels, as they are on the screen, as an SVG file */
  svg() {
    const theme = readTheme(this.element);
    const { sheet, width } = this;
    if (sheet === null) return svgFile([], theme.background, "charts");
    const pictures = PANELS.flatMap((panel, index) => {
      const last = index === PANELS.length - 1;
      const title = record(width, TITLE_HEIGHT, (context) => this.drawTitle(context, panel));
      return [title, recordChart(() => pictured(panel, sheet, width, last))];
    });
    return svgFile(pictures, theme.background, `Traces up to ${moment(sheet.traces.now)}`);
  }

  /** Ends it: nothing is listened to any more. */
  close() {
    this.observer.disconnect();
    this.stopWatching();
    for (const shown of this.shown) shown.chart?.destroy();
    this.element.replaceChildren();
  }

  /**
   * @param {Panel} panel
   * @returns {Shown}
   */
  place(panel) {
    const heading = document.createElement("div");
    heading.className = "charts-heading";
    const title = document.createElement("span");
    title.textContent = panel.title;
    const readout = document.createElement("span");
    readout.className = "charts-readout";
    heading.append(title, readout);
    const holder = document.createElement("div");
    holder.className = "charts-panel";
    holder.style.minHeight = `${panelHeight(panel, panel === PANELS.at(-1))}px`;
    holder.setAttribute("role", "img");
    holder.setAttribute("aria-label", `${panel.title} over simulated time`);
    this.element.append(heading, holder);
    return { panel, holder, readout, chart: null };
  }

  /** Draws what the last update brought. */
  draw() {
    const { sheet } = this;
    if (sheet === null || this.width < 1) return;
    const now = signature(sheet.traces);
    if (now !== this.drawn) {
      this.build(sheet);
      this.drawn = now;
    } else {
      for (const { panel, chart } of this.shown) chart?.setData(dataOf(panel, sheet));
    }
    this.tell();
  }

  /** @param {import("./chart-panels.js").Sheet} sheet */
  build(sheet) {
    const { uPlot } = /** @type {any} */ (globalThis);
    const hands = {
      key: this.key,
      cursor: (/** @type {any} */ chart) => this.point(chart),
      select: (/** @type {any} */ chart) => this.select(chart),
      whole: () => this.wish({ kind: "whole" }),
    };
    this.legend.show(sheet);
    for (const shown of this.shown) {
      shown.chart?.destroy();
      const last = shown.panel === PANELS.at(-1);
      const options = panelOptions(shown.panel, sheet, this.width, last, hands);
      shown.chart = new uPlot(options, dataOf(shown.panel, sheet), shown.holder);
    }
  }

  /** Makes the charts anew: other colours, connections or series. */
  rebuild() {
    this.drawn = "";
    if (this.sheet !== null) this.sheet = this.newSheet(this.sheet.traces);
    this.redraw.request();
  }

  /**
   * @param {import("./chart-traces.js").Traces} traces
   * @returns {import("./chart-panels.js").Sheet}
   */
  newSheet(traces) {
    const scenario = /** @type {Scenario} */ (this.scenario);
    const theme = readTheme(this.element);
    const styles = new Styles(theme, scenario);
    return { traces, scenario, theme, styles, ssthresh: this.ssthresh, hidden: this.hidden };
  }

  resize() {
    const width = Math.floor(this.element.clientWidth);
    if (width === this.width || width < 1) return;
    this.width = width;
    for (const { panel, chart } of this.shown) {
      chart?.setSize({ width, height: panelHeight(panel, panel === PANELS.at(-1)) });
    }
    this.redraw.request();
  }

  /** @param {any} chart on which the pointer is, or no more */
  point(chart) {
    const { left } = chart.cursor;
    const pointed = left === undefined || left < 0 ? Number.NaN : chart.posToVal(left, "x");
    if (Object.is(pointed, this.pointed)) return;
    this.pointed = pointed;
    this.tell();
  }

  /** @param {any} chart on which a stretch of time was dragged over */
  select(chart) {
    const { left, width } = chart.select;
    if (width < 4) return;
    const view = between(chart.posToVal(left, "x"), chart.posToVal(left + width, "x"));
    chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.wish(view);
  }

  /** Writes the values at the pointer, else now. */
  tell() {
    const { sheet } = this;
    if (sheet === null) return;
    const { begin, end } = sheet.traces.charts;
    const pointed = Number.isFinite(this.pointed);
    const time = pointed ? this.pointed : Math.min(sheet.traces.now, end);
    for (const { panel, readout } of this.shown) {
      const text = `${panel.readout(sheet, time)} at ${moment(time, end - begin)}`;
      if (readout.textContent !== text) readout.textContent = text;
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Panel} panel
   */
  drawTitle(context, panel) {
    const sheet = /** @type {import("./chart-panels.js").Sheet} */ (this.sheet);
    const { theme, styles, traces } = sheet;
    context.font = `bold 13px ${theme.font}`;
    context.fillStyle = theme.text;
    context.fillText(panel.title, 8, 15);
    if (panel.name !== "cwnd" || !traces.few || traces.windows.length < 2) return;
    context.font = `12px ${theme.font}`;
    let x = 8 + 13 * 15;
    for (const { session, connection } of traces.windows) {
      const { colour, dash } = styles.of(session, connection);
      const name = styles.name(session, connection);
      context.strokeStyle = colour;
      context.lineWidth = 2.5;
      context.setLineDash(dash);
      context.beginPath();
      context.moveTo(x, 11);
      context.lineTo(x + 22, 11);
      context.stroke();
      context.fillText(name, x + 26, 15);
      x += 26 + 8 * name.length + 10;
    }
    context.setLineDash([]);
  }

  /** @param {View} view */
  wish(view) {
    this.setView(view);
    this.onView(view);
  }

  /** @returns {{view: View, shown: {begin: number, end: number}, now: number}} */
  state() {
    const charts = this.sheet?.traces.charts;
    const shown = charts ? { begin: charts.begin, end: charts.end } : { begin: 0, end: 1 };
    return { view: this.view, shown, now: this.sheet?.traces.now ?? 0 };
  }

  /** @param {boolean} shown */
  showThresholds(shown) {
    this.ssthresh = shown;
    this.rebuild();
  }

  /** @param {string} key */
  toggle(key) {
    if (!this.hidden.delete(key)) this.hidden.add(key);
    const focused = [...this.legend.list.children].indexOf(/** @type {any} */ (document.activeElement));
    this.rebuild();
    this.redraw.run(performance.now());
    /** @type {HTMLElement | undefined} */ (this.legend.list.children[focused])?.focus();
  }
}
