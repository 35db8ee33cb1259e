// SPDX-License-Identifier: GPL-2.0-only

/** Colours, dashes and marks of the connections, and the page's theme as the canvases need it. */
import { flowName } from "./flow-names.js";

/**
 * @typedef {object} Theme
 * @property {string} text
 * @property {string} muted for axes and what is of second rank
 * @property {string} faint for grids and fills
 * @property {string} background
 * @property {string} alert for what goes wrong
 * @property {string} mark for packets that the queue has marked (CE)
 * @property {string[]} series eight colours, told apart by colour-blind people, too
 * @property {string} font the page's family
 * @property {number} scale of the page's text: 1 where its font has 16 CSS pixels
 *
 * @typedef {object} Style how one connection looks everywhere
 * @property {string} colour
 * @property {number[]} dash of its lines, CSS pixels
 * @property {number} mark 0 .. 7, the stripes on its packets and the shape of its points
 */

/** Okabe and Ito's colours; the eighth, black, is grey: it shows on dark ground, too. */
const OKABE_ITO = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#cc79a7",
  "#e69f00",
  "#56b4e9",
  "#b8a900",
  "#7f7f7f",
];
const DASHES = [[], [6, 3], [2, 3], [9, 3, 2, 3]];

/**
 * @param {Element} element whose colours count
 * @returns {Theme}
 */
export function readTheme(element) {
  const style = getComputedStyle(element);
  const [red, green, blue] = components(style.color);
  const own = (/** @type {string} */ name) => {
    const value = style.getPropertyValue(name).trim();
    return value === "" ? null : opaque(value);
  };
  return {
    text: `rgb(${red}, ${green}, ${blue})`,
    muted: own("--text-muted") ?? `rgba(${red}, ${green}, ${blue}, 0.72)`,
    faint: `rgba(${red}, ${green}, ${blue}, 0.14)`,
    background: background(element),
    alert: own("--error") ?? "#b3121f",
    mark: own("--mark") ?? "#7a3fc0",
    series: OKABE_ITO.map((fallback, index) => own(`--series-${index + 1}`) ?? fallback),
    font: style.fontFamily || "sans-serif",
    scale: textScale(),
  };
}

/** @returns {number} of the page's text: 1 where its font has 16 CSS pixels */
export function textScale() {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

/**
 * Calls back whenever the page's theme changes.
 * @param {() => void} changed
 * @returns {() => void} ends it
 */
export function watchTheme(changed) {
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(changed);
  scheme.addEventListener("change", changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme", "class"] });
  return () => {
    scheme.removeEventListener("change", changed);
    observer.disconnect();
  };
}

/**
 * One session: a colour for each connection. Several: a colour and a dash for each of them
 * (backgrounds count on behind the sessions).
 * @param {Theme} theme
 * @param {number} flows sessions and backgrounds
 * @param {number} session
 * @param {number} connection
 * @returns {Style}
 */
function styleOf(theme, flows, session, connection) {
  const key = Math.max(0, flows > 1 ? session : connection);
  const dash = flows > 1 ? key : Math.floor(key / theme.series.length);
  return {
    colour: theme.series[key % theme.series.length],
    dash: DASHES[dash % DASHES.length],
    mark: key % 8,
  };
}

/** The styles of a scenario's connections, each made once. */
export class Styles {
  /**
   * @param {Theme} theme
   * @param {{sessions: object[], background: object[]}} scenario
   */
  constructor(theme, { sessions, background }) {
    this.theme = theme;
    this.scenario = { sessions, background };
    this.flows = sessions.length + background.length;
    /** @type {Map<number, Style>} */
    this.made = new Map();
  }

  /**
   * @param {number} session
   * @param {number} connection
   * @returns {Style}
   */
  of(session, connection) {
    const key = session * 65536 + connection;
    let style = this.made.get(key);
    if (style === undefined) {
      style = styleOf(this.theme, this.flows, session, connection);
      this.made.set(key, style);
    }
    return style;
  }

  /**
   * @param {{session: number, connection: number}} one
   * @returns {string} the same for all that look the same
   */
  group({ session, connection }) {
    return this.flows > 1 ? `session ${session}` : `connection ${connection}`;
  }

  /**
   * @param {{session: number, connection: number}} one
   * @returns {string} of its group, as people count: from 1
   */
  name({ session, connection }) {
    return this.flows === 1 ? String(connection + 1) : flowName(this.scenario, session);
  }

  /**
   * @param {{session: number, connection: number}} one
   * @returns {string} its own
   */
  connectionName({ session, connection }) {
    const own = `connection ${connection + 1}`;
    if (this.flows === 1) return own;
    const name = flowName(this.scenario, session);
    return session < this.scenario.sessions.length ? `${name}, ${own}` : name;
  }
}

/**
 * @param {string} colour any that CSS knows
 * @param {number} alpha
 * @returns {string}
 */
export function withAlpha(colour, alpha) {
  const [red, green, blue] = components(colour);
  return `rgba(${red}, ${green}, ${blue}, ${alpha})`;
}

/** @type {Map<string, number[]>} */
const known = new Map();
const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

/**
 * @param {string} colour any that CSS knows
 * @returns {number[]} red, green, blue, alpha: 0 .. 255
 */
function components(colour) {
  let found = known.get(colour);
  if (found === undefined) {
    if (probe === null) return [127, 127, 127, 255];
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    found = [...probe.getImageData(0, 0, 1, 1).data];
    known.set(colour, found);
  }
  return found;
}

/**
 * @param {string} colour
 * @returns {string}
 */
function opaque(colour) {
  const [red, green, blue] = components(colour);
  return `rgb(${red}, ${green}, ${blue})`;
}

/**
 * @param {Element} element
 * @returns {string} the colour of the ground it stands on
 */
function background(element) {
  for (let at = /** @type {Element | null} */ (element); at !== null; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (components(colour)[3] === 255) return opaque(colour);
  }
  return "rgb(255, 255, 255)";
}
