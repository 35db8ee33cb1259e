// SPDX-License-Identifier: GPL-2.0-only

/** The dumbbell: senders, two routers with the bottleneck between them, receivers, and what is under way. */
import { readTheme, Styles, watchTheme } from "./colours.js";
import { DropMarks } from "./drop-marks.js";
import { drawFaults, struckNow } from "./dumbbell-faults.js";
import { drawFlows } from "./dumbbell-flows.js";
import { layOut } from "./dumbbell-layout.js";
import { drawDrops, drawPackets, drawSlots, packet } from "./dumbbell-packets.js";
import { drawLegend, drawStage } from "./dumbbell-stage.js";
import { Redraw, reducedMotion } from "./motion.js";
import { percent, plainDuration, plainRate, rate, whole } from "./quantities.js";
import { record, svgFile } from "./svg.js";

/** @typedef {import("../engine/laboratory.js").Frame} Frame */
/** @typedef {import("./view-types.js").Scenario} Scenario */

const TELL_EVERY_MS = 4000;
const NONE = { sessions: [], background: [] };

export class Dumbbell {
  /** @param {HTMLElement} element takes the canvas */
  constructor(element) {
    this.element = element;
    this.canvas = document.createElement("canvas");
    this.canvas.className = "dumbbell";
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "The network: nothing is loaded yet");
    element.append(this.canvas);
    /** @type {Scenario | null} */
    this.scenario = null;
    /** @type {Frame | null} */
    this.frame = null;
    /** @type {import("./dumbbell-layout.js").Layout | null} */
    this.layout = null;
    this.theme = readTheme(element);
    this.styles = new Styles(this.theme, NONE);
    this.marks = new DropMarks();
    this.playing = false;
    this.told = Number.NEGATIVE_INFINITY;
    this.toldWrong = "";
    this.redraw = new Redraw((now) => this.draw(now));
    new ResizeObserver(() => this.arrange()).observe(this.canvas);
    watchTheme(() => this.arrange());
  }

  /** @param {Scenario} scenario resolved */
  setScenario(scenario) {
    if (JSON.stringify(scenario) === JSON.stringify(this.scenario)) return;
    this.scenario = scenario;
    this.frame = null;
    this.marks.clear();
    this.told = Number.NEGATIVE_INFINITY;
    this.arrange();
  }

  /**
   * @param {Frame} frame
   * @param {{speed?: number, playing?: boolean}} [state] of the player
   */
  update(frame, { playing = false } = {}) {
    const now = performance.now();
    this.frame = frame;
    this.playing = playing;
    this.marks.take(frame, now);
    this.tell(now);
    this.redraw.request();
  }

  /** @returns {string} what is on the canvas, as an SVG file */
  svg() {
    const { layout } = this;
    if (layout === null) return svgFile([], this.theme.background, "dumbbell");
    const now = performance.now();
    const picture = record(layout.width, layout.height, (context) => this.paint(context, now));
    return svgFile([picture], this.theme.background, this.words());
  }

  /** Lays everything out anew: another width, theme or scenario. */
  arrange() {
    const width = this.canvas.clientWidth;
    if (this.scenario === null || width < 1) return;
    this.theme = readTheme(this.element);
    this.styles = new Styles(this.theme, this.scenario);
    this.layout = layOut(width, this.scenario);
    this.canvas.style.height = `${this.layout.height}px`;
    this.redraw.request();
  }

  /** @param {number} now real time, ms */
  draw(now) {
    const context = this.canvas.getContext("2d");
    if (context === null || this.layout === null) return;
    const scale = devicePixelRatio;
    const width = Math.round(this.layout.width * scale);
    const height = Math.round(this.layout.height * scale);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, this.layout.width, this.layout.height);
    this.paint(context, now);
    if (this.marks.alive(now)) this.redraw.request();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} now
   */
  paint(context, now) {
    const { layout, scenario, frame, theme, styles } = this;
    if (layout === null || scenario === null) return;
    const still = reducedMotion();
    const marks = this.marks.marks.filter((mark) => now - mark.born < this.marks.life());
    const markLife = this.marks.life();
    const scene = { layout, scenario, frame, theme, styles, marks, markLife, still, now };
    drawStage(context, scene);
    drawSlots(context, scene);
    if (frame?.packets && !(still && this.playing)) drawPackets(context, scene);
    else drawFlows(context, { ...scene, still: still || !this.playing });
    drawDrops(context, scene);
    drawFaults(context, scene);
    drawLegend(context, scene, packet);
  }

  /**
   * Tells the state in words to those who do not see it, now and then.
   * @param {number} now
   */
  tell(now) {
    const wrong = this.wrong();
    if (now - this.told < TELL_EVERY_MS && wrong === this.toldWrong) return;
    this.told = now;
    this.toldWrong = wrong;
    this.canvas.setAttribute("aria-label", this.words());
  }

  /** @returns {string} the faults that last; empty: none */
  wrong() {
    const { layout, scenario, frame } = this;
    if (layout === null || scenario === null || !scenario.faults?.length) return "";
    const struck = struckNow({ layout, scenario, frame });
    return [...new Set(struck.flatMap(({ words }) => words))].join(", ");
  }

  /** @returns {string} */
  words() {
    const { scenario, frame } = this;
    if (scenario === null) return "The network: nothing is loaded yet";
    const path =
      `Dumbbell network: ${scenario.sessions.length + scenario.background.length} sending and as many ` +
      `receiving hosts, bottleneck ${plainRate(scenario.bandwidth_bps)}, delay ${plainDuration(scenario.delay_s)}, ` +
      `queue of ${scenario.queue_packets} packets`;
    if (frame === null) return `${path}.`;
    const wrong = this.wrong();
    const goodput = frame.sessions.reduce((sum, session) => sum + (session.goodput ?? 0), 0);
    return (
      `${path}. At ${plainDuration(frame.now)}: ${frame.connections.length} connections, goodput ${rate(goodput)}, ` +
      `bottleneck ${percent(frame.utilisation)} used so far, ${whole(frame.queue)} packets waiting, ` +
      `${whole(frame.drops)} drops so far.${wrong && ` Wrong now: ${wrong}.`}`
    );
  }
}
