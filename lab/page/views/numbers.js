// SPDX-License-Identifier: GPL-2.0-only

/** The numbers of the moment: the bottleneck's, then each session's. */
import { isGridFtp } from "../engine/session-tool.js";
import { Redraw } from "./motion.js";
import {
  duration,
  moment,
  NOTHING,
  percent,
  queueingDelay,
  rate,
  size,
  whole,
} from "./quantities.js";

/** @typedef {import("../engine/laboratory.js").Frame} Frame */
/** @typedef {import("../engine/laboratory.js").Session} Session */
/** @typedef {import("./view-types.js").Scenario} Scenario */

/**
 * @template T
 * @typedef {{name: string, help: string, text: (state: T, scenario: Scenario, frame: Frame) => string,
 *   ofAnyTool?: boolean, isOf?: (scenario: Scenario) => boolean}} Row ofAnyTool: a session that GridFTP
 *   does not move has it, too; isOf: whether a scenario has it, without it each
 */

const DRAW_EVERY_MS = 100;
const TELL_EVERY_MS = 5000;

/** @type {Row<Frame>[]} */
const COMMON = [
  {
    name: "time",
    help: "t, simulated",
    text: ({ now }) => moment(now, 1),
  },
  {
    name: "utilisation",
    help: "share of the time since the first transfer command in which the bottleneck transmitted",
    text: ({ utilisation }) => percent(utilisation),
  },
  {
    name: "queue",
    help: "packets waiting at the bottleneck, and the limit of the queue",
    text: ({ queue, queueLimit }) => `${whole(queue)} of ${whole(queueLimit)}`,
  },
  {
    name: "queueing delay",
    help: "waiting time of a packet that arrives now, if all packets in front of it have full size",
    text: ({ queue }, scenario) => duration(queueingDelay(queue, scenario)),
  },
  {
    name: "drops",
    help: "packets that the full queue has dropped so far",
    text: ({ drops }) => whole(drops),
  },
  {
    name: "marks",
    help: "packets that the queue has marked so far instead of dropping them (CE, RFC 3168)",
    isOf: ({ ecn }) => ecn === true,
    text: ({ marks }) => whole(marks),
  },
];

/** @type {Row<Session>[]} */
const SESSION = [
  {
    name: "chunk",
    help: "number of the current chunk",
    text: ({ chunk }) => whole(chunk + 1),
  },
  {
    name: "N",
    help: "parallel data connections, of each pair of stripes",
    text: (state) => whole(state.parallelism),
  },
  {
    name: "chunk goodput",
    help: "payload over time, of the current chunk so far; between chunks, of the last one",
    text: ({ goodput }) => rate(goodput),
  },
  {
    name: "mean goodput",
    help: "payload over time since the first data, pauses between chunks included",
    ofAnyTool: true,
    text: ({ meanGoodput }) => rate(meanGoodput),
  },
  {
    name: "Eq. (1) at N",
    help: "goodput that the fluid model predicts for N connections",
    text: ({ model }) => rate(model),
  },
  {
    name: "N W / R",
    help: "upper limit for N connections: one window each per round trip",
    text: ({ windowLimit }) => rate(windowLimit),
  },
  {
    name: "W",
    help: "socket buffer of each connection; none where the kernel sizes it",
    text: (state) => size(state.window),
  },
  {
    name: "R",
    help: "idle RTT: round-trip time of commands, which the client measured between transfers",
    text: ({ rtt }) => duration(rtt),
  },
  {
    name: "smoothed RTT",
    help: "RTT under load: mean of the smoothed RTT of the open data connections",
    ofAnyTool: true,
    text: (session, _, frame) => duration(smoothedRtt(frame, frame.sessions.indexOf(session))),
  },
  {
    name: "loss",
    help: "segments sent again, out of all sent so far; not each of them was lost",
    text: ({ loss, segments }) => (segments > 0 ? percent(loss) : NOTHING),
  },
  {
    name: "timeouts",
    help: "retransmission timeouts so far",
    text: ({ timeouts }) => whole(timeouts),
  },
  {
    name: "moved",
    help: "payload of the file that has arrived so far",
    ofAnyTool: true,
    text: ({ bytes }) => size(bytes),
  },
];

/** Of sessions that may try again. @type {Row<Session>[]} */
const TRIES = [
  {
    name: "restarts",
    help: "number of restarts of the client, and the time of the last one",
    text: ({ restarts }) => {
      const last = restarts.at(-1);
      return last ? `${whole(restarts.length)}, at ${moment(last.time, 10)}` : "0";
    },
  },
  {
    name: "marked",
    help: "data that the restart markers covered at that time: it is not sent again",
    text: ({ restarts }) => size(restarts.at(-1)?.held ?? null),
  },
  {
    name: "sent again",
    help: "bytes of the file that were stored twice; known when the file is complete",
    text: ({ resent }) => size(resent),
  },
];

export class Numbers {
  /** @param {HTMLElement} element takes the numbers */
  constructor(element) {
    this.element = element;
    element.classList.add("numbers");
    this.common = document.createElement("table");
    this.table = document.createElement("table");
    this.scroller = document.createElement("div");
    this.scroller.className = "numbers-sessions";
    this.scroller.tabIndex = 0; // many sessions are wider than the page: the keys scroll
    this.scroller.setAttribute("role", "region");
    this.scroller.setAttribute("aria-label", "Numbers of the sessions");
    this.scroller.append(this.table);
    this.told = document.createElement("p");
    this.told.className = "numbers-told";
    this.told.setAttribute("aria-live", "polite");
    element.append(this.common, this.scroller, this.told);
    /** @type {Scenario | null} */
    this.scenario = null;
    /** @type {Frame | null} */
    this.frame = null;
    /** @type {{cell: HTMLElement, text: (frame: Frame, scenario: Scenario) => string}[]} */
    this.cells = [];
    this.redraw = new Redraw(() => this.draw(), DRAW_EVERY_MS);
    this.telling = new Redraw(() => this.tell(), TELL_EVERY_MS);
  }

  /** @param {Scenario} scenario resolved */
  setScenario(scenario) {
    const built = this.scenario;
    this.scenario = scenario;
    const same =
      built?.sessions.length === scenario.sessions.length &&
      built.background.length === scenario.background.length &&
      mayRetry(built) === mayRetry(scenario) &&
      built.ecn === scenario.ecn;
    if (!same) this.build(scenario);
  }

  /** @param {Frame} frame */
  update(frame) {
    this.frame = frame;
    this.redraw.request();
    this.telling.request();
  }

  draw() {
    const { frame, scenario } = this;
    if (frame === null || scenario === null) return;
    for (const { cell, text } of this.cells) {
      const now = text(frame, scenario).replace("\u00a0", " "); // how a cell breaks is for its style
      if (cell.textContent !== now) cell.textContent = now;
    }
  }

  /** Says the latest, also where nothing moves any more. */
  tell() {
    if (this.frame === null || this.scenario === null) return;
    const words = summary(this.frame, this.scenario);
    if (this.told.textContent !== words) this.told.textContent = words;
  }

  /** @param {Scenario} scenario */
  build(scenario) {
    const { sessions, background } = scenario;
    this.cells = [];
    const common = document.createElement("tbody");
    for (const row of COMMON.filter(({ isOf }) => isOf?.(scenario) ?? true)) {
      common.append(this.row(row, [(frame, scenario) => row.text(frame, scenario, frame)]));
    }
    background.forEach((_, index) => {
      const name = background.length > 1 ? `TCP ${index + 1} goodput` : "TCP goodput";
      const help = "background connection: payload over time";
      common.append(this.row({ name, help }, [(frame) => rate(frame.background[index]?.goodput)]));
    });
    this.common.replaceChildren(common);
    const body = document.createElement("tbody");
    if (sessions.length > 1) body.append(heads(sessions.length));
    for (const row of mayRetry(scenario) ? [...SESSION, ...TRIES] : SESSION) {
      const texts = sessions.map(
        (_, index) => (/** @type {Frame} */ frame, /** @type {Scenario} */ scenario) =>
          frame.sessions[index] && (row.ofAnyTool || isGridFtp(scenario.sessions[index]))
            ? row.text(frame.sessions[index], scenario, frame)
            : NOTHING,
      );
      body.append(this.row(row, texts));
    }
    this.table.replaceChildren(body);
  }

  /**
   * @param {{name: string, help: string}} row
   * @param {((frame: Frame, scenario: Scenario) => string)[]} texts one for each cell
   * @returns {HTMLTableRowElement}
   */
  row({ name, help }, texts) {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = name;
    head.title = help;
    row.append(head);
    for (const text of texts) {
      const cell = document.createElement("td");
      cell.textContent = NOTHING;
      row.append(cell);
      this.cells.push({ cell, text });
    }
    return row;
  }
}

/**
 * @param {Frame} frame
 * @param {number} index of a session
 * @returns {number | null} mean of its connections' smoothed RTT, s; null where none is open
 */
function smoothedRtt({ connections }, index) {
  const open = connections.filter(
    ({ session, connected, rtt }) => session === index && connected && rtt > 0,
  );
  return open.length === 0 ? null : open.reduce((sum, { rtt }) => sum + rtt, 0) / open.length;
}

/** @param {Scenario} scenario @returns {boolean} whether any session has new tries */
function mayRetry({ sessions }) {
  return sessions.some(({ retries = 0 }) => retries > 0);
}

/**
 * @param {number} count
 * @returns {HTMLTableRowElement} the sessions' numbers
 */
function heads(count) {
  const row = document.createElement("tr");
  const corner = document.createElement("th");
  corner.scope = "row";
  corner.textContent = "session";
  row.append(corner);
  for (let index = 0; index < count; index += 1) {
    const head = document.createElement("th");
    head.scope = "col";
    head.textContent = String(index + 1);
    row.append(head);
  }
  return row;
}

/**
 * @param {Frame} frame
 * @param {Scenario} scenario
 * @returns {string} for those who hear it
 */
function summary({ now, utilisation, drops, sessions }, scenario) {
  const parts = sessions.slice(0, 4).map((session, index) => {
    const which = sessions.length > 1 ? `session ${index + 1}: ` : "";
    const n = isGridFtp(scenario.sessions[index]) ? `N ${session.parallelism}, ` : "";
    return `${which}${n}goodput ${rate(session.goodput)}`;
  });
  return (
    `At ${moment(now, 100)}: ${parts.join("; ")}; bottleneck ${percent(utilisation)} used so far, ` +
    `${whole(drops)} drops.`
  );
}
