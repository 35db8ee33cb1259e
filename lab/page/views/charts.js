// SPDX-License-Identifier: GPL-2.0-only

/** The traces over one time axis: windows, queue, drops, goodput and parallelism, one above the other. */
import { ChartBar, Legend, legendOf } from "./chart-controls.js";
import { panelHeights, TITLE_HEIGHT } from "./chart-heights.js";
import { panelOptions, pictured } from "./chart-options.js";
import { dataOf, headingOf, isOf, PANELS } from "./chart-panels.js";
import { signature, tracesOf } from "./chart-traces.js";
import { ChartValues } from "./chart-values.js";
import { readTheme, Styles, textScale, watchTheme } from "./colours.js";
import { Redraw } from "./motion.js";
import { moment } from "./quantities.js";
import { record, recordChart, svgFile } from "./svg.js";
import { between, spanOf } from "./time-view.js";

/** @typedef {import("../engine/laboratory.js").Frame} Frame */
/** @typedef {import("./view-types.js").Scenario} Scenario */
/** @typedef {import("../engine/laboratory.js").View} View */
/** @typedef {import("./chart-panels.js").Panel} Panel */
/**
 * @typedef {object} Shown a panel on the page
 * @property {Panel} panel
 * @property {HTMLElement} heading
 * @property {HTMLElement} holder
 * @property {HTMLElement} title
 * @property {HTMLElement} readout
 * @property {any} chart a uPlot
 */

/** From this height on the page's height for the charts is taken as its wish, CSS pixels. */
const LEAST_HEIGHT = 320;
const ONE_FLOW = { sessions: [{}], background: [] };
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
    /** @type {Charts | null} see pairWith() */
    this.peer = null;
    /** @type {Charts | null} the peer, where it gives the heights */
    this.leader = null;
    this.drawn = "";
    this.stale = false;
    this.width = 0;
    this.pointed = Number.NaN;
    this.tools = document.createElement("div");
    this.tools.className = "charts-tools";
    this.panels = document.createElement("div");
    this.panels.className = "charts-panels";
    element.append(this.tools, this.panels);
    /** @type {number[]} of the panels that are there */
    this.heights = [];
    this.bar = new ChartBar(this.tools, {
      view: (view) => this.wish(view),
      state: () => this.state(),
      ssthresh: (shown) => this.choose({ ssthresh: shown }),
      flight: (shown) => this.chooseFlight(shown),
      segments: (shown) => this.choose({ segments: shown }),
    });
    this.ssthresh = true;
    this.flight = false;
    /** @type {boolean | null} what the reader has chosen of it; null: nothing */
    this.flightChosen = null;
    this.segments = false;
    /** @type {string[]} see showOnly() */
    this.only = [];
    /** @type {Set<string>} */
    this.hidden = new Set();
    this.legend = new Legend(this.tools, (group) => this.toggle(group));
    this.shown = PANELS.map((panel) => this.place(panel));
    this.arrange();
    this.values = new ChartValues(this.panels);
    this.redraw = new Redraw(() => this.draw());
    new ResizeObserver(() => this.resize()).observe(element);
    // A height that these panels hold themselves does not change when the window's does
    window.addEventListener("resize", () => this.resize());
    watchTheme(() => this.rebuild());
    this.bar.show(this.view);
  }

  /** @param {Scenario} scenario resolved */
  setScenario(scenario) {
    if (JSON.stringify(scenario) === JSON.stringify(this.scenario)) return;
    this.scenario = scenario;
    // Where cwnd is not what limits a sender, as with BBR, the reader has to see both
    const isToday = scenario.stack === "linux";
    this.flight = isToday && (this.flightChosen ?? true);
    this.bar.showFlight(this.flight, isToday);
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
    if (this.sheet === null) return;
    this.sheet.span = this.spanOf(this.sheet.traces);
    this.redraw.request();
  }

  /**
   * From now on both show the same time at the same scale, at the heights of this one's panels.
   * @param {Charts | null} peer null: each is alone again
   */
  pairWith(peer) {
    if (this.peer === peer) return;
    if (this.peer) Object.assign(this.peer, { peer: null, leader: null });
    this.peer = peer;
    if (peer) Object.assign(peer, { peer: this, leader: this, key: this.key });
    peer?.rebuild();
    this.rebuild();
  }

  /**
   * @param {import("./chart-traces.js").Traces} traces
   * @returns {import("./time-view.js").Span} that is shown: of peers, all that either has
   */
  spanOf(traces) {
    const own = spanOf(this.view, traces);
    const other = this.peerSheet();
    if (other === null) return own;
    const { begin, end } = spanOf(this.view, other.traces);
    return { begin: Math.min(own.begin, begin), end: Math.max(own.end, end) };
  }

  /** @returns {import("./chart-panels.js").Sheet | null} the peer's, unless it is of a run before */
  peerSheet() {
    return this.peer === null || this.peer.stale ? null : this.peer.sheet;
  }

  /** @param {Frame} frame */
  update(frame) {
    if (frame.charts === null || this.scenario === null) return;
    const traces = tracesOf(frame);
    if (this.sheet === null || this.stale) {
      this.sheet = this.newSheet(traces);
      this.drawn = "";
      this.stale = false;
    } else Object.assign(this.sheet, { traces, span: this.spanOf(traces) });
    const other = this.peerSheet();
    if (other !== null) other.span = this.sheet.span;
    this.peer?.redraw.request();
    this.redraw.request();
  }

  /** @returns {string} all panels, as they are on the screen, as an SVG file */
  svg() {
    const theme = readTheme(this.element);
    const { sheet, width } = this;
    if (sheet === null) return svgFile([], theme.background, "charts");
    const pictures = this.there().flatMap((shown, index) => {
      const height = TITLE_HEIGHT * theme.scale;
      const title = record(width, height, (context) => this.drawTitle(context, shown));
      return [title, recordChart(() => pictured(shown.panel, sheet, this.size(index)))];
    });
    return svgFile(pictures, theme.background, `Traces up to ${moment(sheet.traces.now)}`);
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
    holder.setAttribute("role", "img");
    holder.setAttribute("aria-label", `${panel.title} over simulated time`);
    this.panels.append(heading, holder);
    return { panel, heading, holder, title, readout, chart: null };
  }

  /** @returns {Shown[]} panels that say anything of what is drawn; of these those that were chosen */
  there() {
    const scenario = this.sheet?.scenario ?? this.scenario;
    const both = [scenario ?? ONE_FLOW, this.peer?.scenario ?? scenario ?? ONE_FLOW];
    const there = this.shown.filter(({ panel }) => both.some((one) => isOf(panel, one)));
    const chosen = this.only.flatMap((name) => there.filter(({ panel }) => panel.name === name));
    return chosen.length ? chosen : there;
  }

  /** @param {string[]} names of the only panels to be shown, where they say anything, from the top
   * to the bottom; none: all */
  showOnly(names) {
    this.only = names;
    this.rebuild();
  }

  /** Shows those, and no others. */
  arrange() {
    const there = this.there();
    for (const shown of this.shown) {
      shown.heading.hidden = shown.holder.hidden = !there.includes(shown);
    }
    const inOrder = there.flatMap(({ heading, holder }) => [heading, holder]);
    const placed = [...this.panels.children].filter((one) =>
      inOrder.includes(/** @type {any} */ (one)),
    );
    if (placed.some((one, index) => one !== inOrder[index])) this.panels.prepend(...inOrder);
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
    this.arrange();
    const there = this.there();
    for (const shown of this.shown) {
      shown.chart?.destroy();
      shown.chart = null;
    }
    this.heights = this.share();
    if (this.leader === null) this.peer?.resize();
    for (const [index, shown] of there.entries()) {
      shown.holder.style.minHeight = `${this.heights[index]}px`;
      const options = panelOptions(shown.panel, sheet, this.size(index), hands);
      shown.chart = new uPlot(options, dataOf(shown.panel, sheet), shown.holder);
    }
  }

  /**
   * @param {number} index of a panel
   * @returns {import("./chart-options.js").Size}
   */
  size(index) {
    const last = index === this.heights.length - 1;
    return { width: this.width, height: this.heights[index], last };
  }

  /** @returns {number[]} how high the panels are that are there */
  share() {
    if (this.leader?.heights.length === this.there().length) return this.leader.heights;
    const panels = this.there().map(({ panel }) => panel);
    return panelHeights(panels, this.room(), textScale());
  }

  /** @returns {number | null} what the page gives the panels, if it gives the charts a height */
  room() {
    this.panels.hidden = true; // else it is they that give the height
    const given = this.element.clientHeight;
    this.panels.hidden = false;
    return given > LEAST_HEIGHT ? given - this.tools.offsetHeight : null;
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
    const span = this.spanOf(traces);
    const { ssthresh, flight, segments, hidden } = this;
    const peer = () => this.peerSheet();
    return { traces, span, scenario, theme, styles, ssthresh, flight, segments, hidden, peer };
  }

  resize() {
    const width = this.panels.clientWidth;
    if (width < 1) return;
    if (this.sheet !== null && this.sheet.theme.scale !== textScale()) this.rebuild();
    const heights = this.share();
    if (width === this.width && String(heights) === String(this.heights)) return;
    this.width = width;
    this.heights = heights;
    if (this.leader === null) this.peer?.resize();
    // Charts of other series than those to come would draw at once what is not there any more
    const isDrawn = this.sheet !== null && signature(this.sheet.traces) === this.drawn;
    this.there().forEach(({ holder, chart }, index) => {
      holder.style.minHeight = `${heights[index]}px`;
      if (isDrawn) chart?.setSize({ width, height: heights[index] });
    });
    if (!isDrawn) this.drawn = "";
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
    const { begin, end } = sheet.span;
    const pointed = Number.isFinite(this.pointed);
    const time = pointed ? this.pointed : Math.min(sheet.traces.now, end);
    const when = pointed ? ` at ${moment(time, end - begin)}` : "";
    if (pointed) this.values.show(sheet, time, time > (begin + end) / 2);
    else this.values.hide();
    for (const shown of this.there()) {
      const text = shown.panel.readout(sheet, time) + when;
      for (const [place, words] of /** @type {[HTMLElement, string][]} */ ([
        [shown.title, headingOf(shown.panel, sheet)],
        [shown.readout, text],
      ])) {
        if (place.textContent !== words) place.textContent = words;
      }
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Shown} shown
   */
  drawTitle(context, shown) {
    const { panel } = shown;
    const sheet = /** @type {import("./chart-panels.js").Sheet} */ (this.sheet);
    const { theme, styles } = sheet;
    const { scale, font } = theme;
    context.font = `bold ${13 * scale}px ${font}`;
    context.fillStyle = theme.text;
    context.fillText(headingOf(panel, sheet), 8, 15 * scale);
    if (panel.name !== "cwnd") return;
    context.font = `${12 * scale}px ${font}`;
    let x = 8 + 13 * 18 * scale;
    for (const one of legendOf(sheet)) {
      const { colour, dash } = styles.of(one.session, one.connection);
      const name = styles.name(one);
      context.strokeStyle = colour;
      context.lineWidth = 2.5;
      context.setLineDash(dash);
      context.beginPath();
      context.moveTo(x, 11 * scale);
      context.lineTo(x + 22, 11 * scale);
      context.stroke();
      context.fillText(name, x + 26, 15 * scale);
      x += 36 + 8 * scale * name.length;
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
    const shown = this.sheet?.span ?? { begin: 0, end: 1 };
    return { view: this.view, shown, now: this.sheet?.traces.now ?? 0 };
  }

  /** @param {boolean} shown whether the reader wants to see data in flight */
  chooseFlight(shown) {
    this.choose({ flight: shown, flightChosen: shown });
    this.peer?.bar.showFlight(shown, true);
  }

  /**
   * @param {{ssthresh?: boolean, flight?: boolean, flightChosen?: boolean, segments?: boolean}} chosen
   */
  choose(chosen) {
    for (const charts of this.peer ? [this, this.peer] : [this]) {
      Object.assign(charts, chosen);
      charts.rebuild();
    }
  }

  /** @param {string} group of connections */
  toggle(group) {
    if (!this.hidden.delete(group)) this.hidden.add(group);
    const focused = [...this.legend.list.children].indexOf(
      /** @type {any} */ (document.activeElement),
    );
    this.rebuild();
    this.redraw.run(performance.now());
    /** @type {HTMLElement | undefined} */ (this.legend.list.children[focused])?.focus();
  }
}
