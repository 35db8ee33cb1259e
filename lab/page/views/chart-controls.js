// SPDX-License-Identifier: GPL-2.0-only

/** The charts' buttons and their legend. */
import { moved, sameView, zoomed } from "./time-view.js";

/** @typedef {import("../engine/laboratory.js").View} View */

/**
 * @typedef {object} Wishes what the buttons ask for
 * @property {(view: View) => void} view
 * @property {() => {view: View, shown: {begin: number, end: number}, now: number}} state
 * @property {(shown: boolean) => void} ssthresh
 * @property {(shown: boolean) => void} flight
 * @property {(shown: boolean) => void} segments
 */

/** @type {{text: string, view: View}[]} */
const CHOICES = [
  { text: "whole run", view: { kind: "whole" } },
  { text: "last 10 s", view: { kind: "last", seconds: 10 } },
  { text: "last 1 s", view: { kind: "last", seconds: 1 } },
];

export class ChartBar {
  /**
   * @param {HTMLElement} element takes the buttons
   * @param {Wishes} wishes
   */
  constructor(element, wishes) {
    this.bar = document.createElement("div");
    this.bar.className = "charts-bar";
    this.bar.setAttribute("role", "group");
    this.bar.setAttribute("aria-label", "Time span of the charts");
    this.choices = CHOICES.map(({ text, view }) => ({
      view,
      button: this.button(text, text, () => wishes.view(view)),
    }));
    for (const [text, name, next] of /** @type {[string, string, (now: any) => View][]} */ ([
      ["+", "zoom in", ({ view, shown, now }) => zoomed(view, shown, now, 0.5)],
      ["−", "zoom out", ({ view, shown, now }) => zoomed(view, shown, now, 2)],
      ["←", "earlier", ({ shown }) => moved(shown, -0.5)],
      ["→", "later", ({ shown }) => moved(shown, 0.5)],
    ])) {
      this.button(text, name, () => wishes.view(next(wishes.state())));
    }
    this.flight = makeSwitch("in flight", false, wishes.flight);
    this.flight.hidden = true;
    this.bar.append(
      makeSwitch("ssthresh", true, wishes.ssthresh),
      this.flight,
      makeSwitch("segments", false, wishes.segments),
    );
    element.append(this.bar);
  }

  /** @param {boolean} shown whether data in flight are @param {boolean} isThere whether to choose */
  showFlight(shown, isThere) {
    this.flight.hidden = !isThere;
    const box = /** @type {HTMLInputElement} */ (this.flight.querySelector("input"));
    box.checked = shown;
  }

  /** @param {View} view that is shown */
  show(view) {
    for (const choice of this.choices) {
      choice.button.setAttribute("aria-pressed", String(sameView(choice.view, view)));
    }
  }

  /**
   * @param {string} text
   * @param {string} name
   * @param {() => void} act
   * @returns {HTMLButtonElement}
   */
  button(text, name, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.textContent = text;
    if (name !== text) {
      button.setAttribute("aria-label", name);
      button.title = name;
    }
    button.addEventListener("click", act);
    this.bar.append(button);
    return button;
  }
}

/**
 * @param {string} text
 * @param {boolean} on
 * @param {(on: boolean) => void} changed
 * @returns {HTMLLabelElement}
 */
function makeSwitch(text, on, changed) {
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = on;
  box.addEventListener("change", () => changed(box.checked));
  label.append(box, ` ${text}`);
  return label;
}

/** Which connection has which line; a click hides or shows it. */
export class Legend {
  /**
   * @param {HTMLElement} element takes the legend
   * @param {(group: string) => void} toggle
   */
  constructor(element, toggle) {
    this.list = document.createElement("div");
    this.list.className = "charts-legend";
    this.list.setAttribute("role", "group");
    this.list.setAttribute("aria-label", "Connections shown");
    this.toggle = toggle;
    element.append(this.list);
  }

  /** @param {import("./chart-panels.js").Sheet} sheet */
  show(sheet) {
    const { styles, hidden } = sheet;
    this.list.replaceChildren();
    for (const one of legendOf(sheet)) {
      const group = styles.group(one);
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button small";
      button.setAttribute("aria-pressed", String(!hidden.has(group)));
      const name = styles.name(one);
      button.setAttribute("aria-label", styles.flows > 1 ? name : `connection ${name}`);
      button.append(sample(styles.of(one.session, one.connection)), name);
      button.addEventListener("click", () => this.toggle(group));
      this.list.append(button);
    }
  }
}

/** More lines than this are not told apart by a legend. */
const MOST_ENTRIES = 16;

/**
 * @param {Pick<import("./chart-panels.js").Sheet, "traces" | "styles">} sheet
 * @returns {{session: number, connection: number}[]} one of each group that looks alike: of several
 *   flows all, however many connections they have at the moment
 */
export function legendOf({ traces, styles }) {
  if (styles.flows > MOST_ENTRIES) return [];
  if (styles.flows > 1) {
    return Array.from({ length: styles.flows }, (_, session) => ({ session, connection: 0 }));
  }
  if (!traces.few || traces.windows.length < 2) return [];
  return traces.windows.map(({ session, connection }) => ({ session, connection }));
}

/**
 * @param {import("./colours.js").Style} style
 * @returns {SVGElement} a piece of its line
 */
export function sample({ colour, dash }) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  const line = document.createElementNS(space, "line");
  const attributes = { x1: 0, y1: 4, x2: 24, y2: 4, stroke: colour, "stroke-width": 2.5 };
  for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, String(value));
  if (dash.length > 0) line.setAttribute("stroke-dasharray", dash.join(" "));
  picture.setAttribute("width", "24");
  picture.setAttribute("height", "8");
  picture.setAttribute("aria-hidden", "true");
  picture.append(line);
  return picture;
}
