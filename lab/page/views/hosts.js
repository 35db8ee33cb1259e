// SPDX-License-Identifier: GPL-2.0-only

/** What the hosts' CPUs do, where they cost anything, of the engine's result so far. */
import { element } from "../dom.js";
import { Redraw } from "./motion.js";
import { NOTHING, percent, significant, whole } from "./quantities.js";

/** @typedef {import("../engine/laboratory.js").Frame} Frame */
/**
 * @typedef {{use: Record<string, any>, lately: number[], soFar: number[]}} End use: `cpu_use` of the
 *   result's schema; the others: loads of cores
 * @typedef {[name: string, help: string, text: (end: End) => string]} Row
 */

const ASK_EVERY_MS = 400;
/** Packets come in bursts: a load is of so much time at least. */
const LEAST_SPAN_S = 0.02;
const ENDS = ["sender", "receiver"];

/** @type {Row[]} */
const ROWS = [
  ["busiest core", "share of the latest time", ({ lately }) => percent(Math.max(...lately))],
  ["… so far", "since the first command", ({ soFar }) => percent(Math.max(...soFar))],
  ["all cores, peak", "busiest second, as sar shows it", ({ use }) => percent(use.cpu_peak_load)],
  module("driver", "interrupts included", "driver"),
  module("TCP", "copies included", "tcp"),
  module("calls", "system calls that move data", "calls"),
  module("file system", "remote procedure calls included", "file_system", "rpc"),
  [
    "packets/interrupt",
    "inward",
    ({ use }) => (use.interrupts > 0 ? significant(use.packets_in / use.interrupts) : NOTHING),
  ],
  ["backlog drops", "packets refused", ({ use }) => whole(use.backlog_drops ?? 0)],
];

export class Hosts {
  #panel;
  #ask;
  #body = element("tbody");
  #cost = true;
  #asking = false;
  /** @type {Frame | null} */
  #frame = null;
  /** What is shown is of this moment, s. */
  #then = NaN;
  /** Until then; another one for each scenario. @type {Record<string, number[]>} */
  #busy = {};
  #redraw = new Redraw(() => this.#update(), ASK_EVERY_MS);

  /** @param {HTMLElement} panel @param {() => Promise<any>} ask for the result so far */
  constructor(panel, ask) {
    this.#panel = panel;
    this.#ask = ask;
    panel.append(element("div", { class: "numbers" }, [element("table", {}, [this.#body])]));
  }

  setScenario() {
    this.#cost = true;
    this.#then = NaN;
    this.#busy = {};
  }

  /** @param {Frame} frame */
  update(frame) {
    this.#frame = frame;
    if (this.#cost) this.#redraw.request();
  }

  async #update() {
    const [frame, busy] = [this.#frame, this.#busy];
    if (!frame || this.#asking) return;
    const span = Math.abs(frame.now - this.#then);
    if (span < LEAST_SPAN_S && !(frame.ended && span > 0)) return;
    this.#asking = true;
    const { sessions } = await this.#ask().finally(() => {
      this.#asking = false;
    });
    if (frame !== this.#frame) this.#redraw.request();
    if (busy !== this.#busy) return;
    this.#cost = sessions.some((/** @type {any} */ session) => session.host);
    this.#panel.hidden = !this.#cost;
    if (this.#cost) this.#show(sessions, frame);
  }

  /** @param {any[]} sessions of the result @param {Frame} frame */
  #show(sessions, { now, sessions: shown }) {
    const span = now - this.#then;
    const rows = sessions.flatMap(({ host, status, duration_s }, index) => {
      if (!host) return [];
      const done = status === "done";
      const spent = done ? duration_s : now - (shown[index]?.start ?? now);
      const ends = ENDS.map((name) => {
        const use = host[name];
        const cores = use.cpu_cores_s ?? [use.cpu_busy_s];
        const before = done ? undefined : this.#busy[name + index];
        this.#busy[name + index] = cores;
        const soFar = loads(cores, spent);
        return { use, soFar, lately: before && span > 0 ? loads(cores, span, before) : soFar };
      });
      return [
        line(sessions.length > 1 ? `session ${index + 1}` : "host", "", ENDS, "th"),
        line("cores", "lately", ends.map(barsOf)),
        ...ROWS.map(([name, help, text]) => line(name, help, ends.map(text))),
      ];
    });
    this.#then = now;
    this.#body.replaceChildren(...rows);
  }
}

/** @param {string} name @param {string} help @param {string[]} keys: cpu_KEY_s @returns {Row} */
function module(name, help, ...keys) {
  return [
    `CPU: ${name}`,
    `share of CPU time so far; ${help}`,
    ({ use }) =>
      percent(keys.reduce((sum, key) => sum + (use[`cpu_${key}_s`] ?? 0), 0) / use.cpu_busy_s),
  ];
}

/** Shares of a span. @param {number[]} cores @param {number} span @param {number[]} [before] all in s */
function loads(cores, span, before = []) {
  return cores.map((s, core) => (span > 0 ? Math.min(1, (s - (before[core] ?? 0)) / span) : NaN));
}

/** @param {string} name @param {string} help @param {(Node | string)[]} told @param {string} [tag] */
function line(name, help, told, tag = "td") {
  const cells = told.map((one) => element(tag, tag === "th" ? { scope: "col" } : {}, [one]));
  return element("tr", {}, [element("th", { scope: "row", title: help }, [name]), ...cells]);
}

/** @param {End} end @returns {HTMLElement} a bar for each core */
function barsOf({ lately }) {
  const told = lately.map((load, core) => `core ${core + 1}: ${percent(load)}`).join(", ");
  const bars = lately.map((load) => {
    const bar = element("i");
    bar.style.setProperty("--load", String(load || 0));
    return bar;
  });
  return element("div", { class: "host-cores", role: "img", "aria-label": told }, bars);
}
