// SPDX-License-Identifier: GPL-2.0-only

/**
 * Pictures as SVG, by the very code that draws them: it is handed a 2D context that writes elements
 * down instead of colouring pixels.
 */
import { IDENTITY, multiply, PathRecorder, short } from "./svg-path.js";

/** @typedef {import("./svg-path.js").Matrix} Matrix */
/** @typedef {{width: number, height: number, body: string}} Picture in units of its own */

const STATE = {
  fillStyle: "#000",
  strokeStyle: "#000",
  lineWidth: 1,
  lineCap: "butt",
  lineJoin: "miter",
  lineDashOffset: 0,
  globalAlpha: 1,
  font: "10px sans-serif",
  textAlign: "start",
  textBaseline: "alphabetic",
};
/** How far below its anchor a text's base line lies, in font sizes. */
const BASELINES = new Map([
  ["top", 0.8],
  ["hanging", 0.8],
  ["middle", 0.35],
  ["bottom", -0.2],
]);
const ANCHORS = new Map([
  ["center", "middle"],
  ["right", "end"],
  ["end", "end"],
]);
const ruler = document.createElement("canvas").getContext("2d");
let clips = 0;

/** As much of CanvasRenderingContext2D as the page's drawings and uPlot use. */
class RecordingContext {
  constructor() {
    this.fillStyle = STATE.fillStyle;
    this.strokeStyle = STATE.strokeStyle;
    this.lineWidth = STATE.lineWidth;
    this.lineCap = STATE.lineCap;
    this.lineJoin = STATE.lineJoin;
    this.lineDashOffset = STATE.lineDashOffset;
    this.globalAlpha = STATE.globalAlpha;
    this.font = STATE.font;
    this.textAlign = STATE.textAlign;
    this.textBaseline = STATE.textBaseline;
    /** @type {number[]} */
    this.dash = [];
    /** @type {Matrix} */
    this.matrix = IDENTITY;
    /** @type {string | null} */
    this.clipping = null;
    /** @type {object[]} */
    this.saved = [];
    this.path = new PathRecorder();
    /** @type {{clip: string | null, element: string}[]} */
    this.elements = [];
    /** @type {string[]} */
    this.definitions = [];
  }

  save() {
    const { saved, path, elements, definitions, ...state } = this;
    this.saved.push({ ...state, dash: [...this.dash] });
  }

  restore() {
    Object.assign(this, this.saved.pop());
  }

  /** @param {number[]} dash */
  setLineDash(dash) {
    this.dash = [...(dash ?? [])];
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  translate(x, y) {
    this.matrix = multiply(this.matrix, [1, 0, 0, 1, x, y]);
  }

  /** @param {number} angle */
  rotate(angle) {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.matrix = multiply(this.matrix, [cos, sin, -sin, cos, 0, 0]);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  scale(x, y) {
    this.matrix = multiply(this.matrix, [x, 0, 0, y, 0, 0]);
  }

  beginPath() {
    this.path = new PathRecorder();
  }

  /** Nothing is erased: a recording begins with an empty sheet. */
  clearRect() {}

  /** @returns {PathRecorder} the current path, taking points as they are seen now */
  here() {
    this.path.matrix = this.matrix;
    return this.path;
  }

  /** @param {PathRecorder} [path] */
  fill(path) {
    const data = this.dataOf(path);
    if (data !== "")
      this.add(`<path d="${data}"${paint("fill", this.fillStyle, this.globalAlpha)}/>`);
  }

  /** @param {PathRecorder} [path] */
  stroke(path) {
    const data = this.dataOf(path);
    if (data === "") return;
    const [a, b, c, d] = this.matrix;
    const scale = Math.sqrt(Math.abs(a * d - b * c));
    const parts = [`<path d="${data}" fill="none"`];
    parts.push(paint("stroke", this.strokeStyle, this.globalAlpha));
    parts.push(` stroke-width="${short(this.lineWidth * scale)}"`);
    if (this.lineCap !== "butt") parts.push(` stroke-linecap="${this.lineCap}"`);
    if (this.lineJoin !== "miter") parts.push(` stroke-linejoin="${this.lineJoin}"`);
    if (this.dash.length > 0) {
      parts.push(` stroke-dasharray="${this.dash.map((part) => short(part * scale)).join(" ")}"`);
      parts.push(` stroke-dashoffset="${short(this.lineDashOffset * scale)}"`);
    }
    this.add(`${parts.join("")}/>`);
  }

  /** @param {PathRecorder} [path] what is drawn from now on shows within it only */
  clip(path) {
    const id = `clip-${++clips}`;
    const outer = this.clipping === null ? "" : ` clip-path="url(#${this.clipping})"`;
    this.definitions.push(
      `<clipPath id="${id}"${outer}><path d="${this.dataOf(path) || "M0 0"}"/></clipPath>`,
    );
    this.clipping = id;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  fillRect(x, y, width, height) {
    const path = new PathRecorder();
    path.rect(x, y, width, height);
    this.fill(path);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  strokeRect(x, y, width, height) {
    const path = new PathRecorder();
    path.rect(x, y, width, height);
    this.stroke(path);
  }

  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   */
  fillText(text, x, y) {
    const { size, weight, family } = fontOf(this.font);
    const [a, b, c, d, e, f] = multiply(this.matrix, [1, 0, 0, 1, x, y]);
    const turned = b !== 0 || c !== 0 || a !== 1 || d !== 1;
    const down = (BASELINES.get(this.textBaseline) ?? 0) * size;
    const place = turned
      ? ` transform="matrix(${[a, b, c, d, e, f].map(short).join(" ")})" y="${short(down)}"`
      : ` x="${short(e)}" y="${short(f + down)}"`;
    const anchor = ANCHORS.get(this.textAlign);
    const parts = [`<text${place} font-size="${short(size)}" font-family="${escaped(family)}"`];
    if (weight !== "") parts.push(` font-weight="${weight}"`);
    if (anchor) parts.push(` text-anchor="${anchor}"`);
    parts.push(paint("fill", this.fillStyle, this.globalAlpha), `>${escaped(text)}</text>`);
    this.add(parts.join(""));
  }

  /**
   * @param {string} text
   * @returns {TextMetrics | {width: number}}
   */
  measureText(text) {
    if (ruler === null) return { width: 0 };
    ruler.font = this.font;
    return ruler.measureText(text);
  }

  /** @returns {string} the elements recorded */
  body() {
    const parts = this.definitions.length > 0 ? [`<defs>${this.definitions.join("")}</defs>`] : [];
    let open = /** @type {string | null} */ (null);
    for (const { clip, element } of this.elements) {
      if (clip !== open) {
        if (open !== null) parts.push("</g>");
        if (clip !== null) parts.push(`<g clip-path="url(#${clip})">`);
        open = clip;
      }
      parts.push(element);
    }
    if (open !== null) parts.push("</g>");
    return parts.join("\n");
  }

  /** @param {string} element */
  add(element) {
    this.elements.push({ clip: this.clipping, element });
  }

  /**
   * @param {PathRecorder} [path]
   * @returns {string}
   */
  dataOf(path) {
    return path instanceof PathRecorder ? path.data(this.matrix) : this.path.data(IDENTITY);
  }
}

for (const name of /** @type {const} */ ([
  "moveTo",
  "lineTo",
  "bezierCurveTo",
  "arc",
  "rect",
  "roundRect",
  "closePath",
])) {
  Object.defineProperty(RecordingContext.prototype, name, {
    /** @param {number[]} numbers */
    value(...numbers) {
      const path = this.here();
      path[name].apply(path, numbers);
    },
  });
}

/**
 * @param {number} width
 * @param {number} height
 * @param {(context: CanvasRenderingContext2D) => void} draw
 * @returns {Picture}
 */
export function record(width, height, draw) {
  const context = new RecordingContext();
  draw(/** @type {any} */ (context));
  return { width, height, body: context.body() };
}

/**
 * Lets uPlot draw a chart off screen onto a recording context.
 * @param {() => {ctx: any, width: number, height: number, destroy: () => void}} make a chart that draws
 *   at once
 * @returns {Picture} as large as the chart in CSS pixels
 */
export function recordChart(make) {
  const prototype = HTMLCanvasElement.prototype;
  const [getContext, Path] = [prototype.getContext, globalThis.Path2D];
  try {
    prototype.getContext = /** @type {any} */ (() => new RecordingContext());
    globalThis.Path2D = /** @type {any} */ (PathRecorder);
    const chart = make();
    const { ctx, width, height } = chart;
    chart.destroy();
    const scale = 1 / devicePixelRatio;
    const body = scale === 1 ? ctx.body() : `<g transform="scale(${scale})">${ctx.body()}</g>`;
    return { width, height, body };
  } finally {
    prototype.getContext = getContext;
    globalThis.Path2D = Path;
  }
}

/**
 * @param {Picture[]} pictures one below the other
 * @param {string} background colour
 * @param {string} title
 * @returns {string} a whole SVG file
 */
export function svgFile(pictures, background, title) {
  const width = Math.ceil(Math.max(1, ...pictures.map((picture) => picture.width)));
  const height = Math.ceil(pictures.reduce((sum, picture) => sum + picture.height, 0));
  const parts = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}"${paint("fill", background, 1)}/>`,
  ];
  let top = 0;
  for (const picture of pictures) {
    parts.push(`<g transform="translate(0 ${short(top)})">`, picture.body, "</g>");
    top += picture.height;
  }
  clips = 0; // names are a file's own: the same picture is the same file
  return `${parts.join("\n")}\n</svg>\n`;
}

/**
 * @param {"fill" | "stroke"} what
 * @param {string} colour
 * @param {number} alpha
 * @returns {string} attributes; the opacity apart, as not every program reads rgba()
 */
function paint(what, colour, alpha) {
  const parts = /^rgba\(\s*([^,]+),([^,]+),([^,]+),([^,]+)\)$/.exec(colour);
  const opacity = alpha * (parts ? Number(parts[4]) : 1);
  const solid = parts
    ? `rgb(${[parts[1], parts[2], parts[3]].map((part) => part.trim())})`
    : colour;
  const rest = opacity < 1 ? ` ${what}-opacity="${short(opacity)}"` : "";
  return ` ${what}="${escaped(solid)}"${rest}`;
}

/**
 * @param {string} font as CSS writes it
 * @returns {{size: number, weight: string, family: string}}
 */
function fontOf(font) {
  const parts = /^(?:.*?\b(bold|\d{3})\s+)?(?:.*?\s)?([\d.]+)px(?:\/\S+)?\s+(.+)$/.exec(font);
  if (parts === null) return { size: 10, weight: "", family: "sans-serif" };
  return { size: Number(parts[2]), weight: parts[1] ?? "", family: parts[3] };
}

/**
 * @param {string} text
 * @returns {string} for XML
 */
function escaped(text) {
  return String(text)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
}
