// SPDX-License-Identifier: GPL-2.0-only

/** A path that remembers what it was made of, so that it can be written as SVG. */

/** @typedef {[number, number, number, number, number, number]} Matrix as canvas has it: a b c d e f */
/** @typedef {{op: "M" | "L" | "C" | "Z", points: number[]}} Command */

/** @type {Matrix} */
export const IDENTITY = [1, 0, 0, 1, 0, 0];

/**
 * @param {Matrix} outer
 * @param {Matrix} inner applied first
 * @returns {Matrix}
 */
export function multiply(outer, inner) {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ];
}

/**
 * @param {Matrix} matrix
 * @param {number[]} points x, y, x, y ...
 * @returns {number[]}
 */
function mapped(matrix, points) {
  const [a, b, c, d, e, f] = matrix;
  const result = [];
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [points[at], points[at + 1]];
    result.push(a * x + c * y + e, b * x + d * y + f);
  }
  return result;
}

/**
 * @param {number} value
 * @returns {string} to a hundredth: no eye sees more
 */
export function short(value) {
  return String(Math.round(value * 100) / 100);
}

/** Stands in for Path2D. Curves of all kinds become Bezier curves: any transform keeps them right. */
export class PathRecorder {
  /** @param {PathRecorder} [other] copied */
  constructor(other) {
    /** @type {Command[]} */
    this.commands = other ? [...other.commands] : [];
    /** @type {Matrix} that points go through on their way in */
    this.matrix = IDENTITY;
  }

  /**
   * @param {Command["op"]} op
   * @param {number[]} points
   */
  add(op, ...points) {
    if (!points.every(Number.isFinite)) return; // as canvas does
    this.commands.push({ op, points: mapped(this.matrix, points) });
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  moveTo(x, y) {
    this.add("M", x, y);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  lineTo(x, y) {
    this.add(this.commands.length === 0 ? "M" : "L", x, y);
  }

  /**
   * @param {number} ax
   * @param {number} ay
   * @param {number} bx
   * @param {number} by
   * @param {number} x
   * @param {number} y
   */
  bezierCurveTo(ax, ay, bx, by, x, y) {
    this.add("C", ax, ay, bx, by, x, y);
  }

  closePath() {
    if (this.commands.length > 0) this.add("Z");
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  rect(x, y, width, height) {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.closePath();
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   * @param {number | number[]} [radii] the same at each corner
   */
  roundRect(x, y, width, height, radii = 0) {
    const wanted = Array.isArray(radii) ? radii[0] : radii;
    const radius = Math.min(wanted, Math.abs(width) / 2, Math.abs(height) / 2);
    const [right, bottom] = [x + width - radius, y + height - radius];
    const quarter = Math.PI / 2;
    this.moveTo(x + radius, y);
    this.arc(right, y + radius, radius, -quarter, 0);
    this.arc(right, bottom, radius, 0, quarter);
    this.arc(x + radius, bottom, radius, quarter, Math.PI);
    this.arc(x + radius, y + radius, radius, Math.PI, 3 * quarter);
    this.closePath();
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} radius
   * @param {number} from
   * @param {number} to
   * @param {boolean} [counter] anticlockwise
   */
  arc(x, y, radius, from, to, counter = false) {
    const turn = 2 * Math.PI;
    let sweep = counter ? from - to : to - from;
    if (sweep < 0) sweep = ((sweep % turn) + turn) % turn;
    sweep = Math.min(sweep, turn) * (counter ? -1 : 1);
    const pieces = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2)));
    const step = sweep / pieces;
    const reach = (4 / 3) * Math.tan(step / 4) * radius;
    this.lineTo(x + radius * Math.cos(from), y + radius * Math.sin(from));
    for (let piece = 0; piece < pieces; piece += 1) {
      const begin = from + piece * step;
      const end = begin + step;
      const [cosB, sinB, cosE, sinE] = [begin, begin, end, end].map((angle, index) =>
        index % 2 === 0 ? Math.cos(angle) : Math.sin(angle),
      );
      this.bezierCurveTo(
        x + radius * cosB - reach * sinB,
        y + radius * sinB + reach * cosB,
        x + radius * cosE + reach * sinE,
        y + radius * sinE - reach * cosE,
        x + radius * cosE,
        y + radius * sinE,
      );
    }
  }

  /**
   * @param {Matrix} matrix
   * @returns {string} SVG's path data
   */
  data(matrix) {
    return this.commands
      .map(({ op, points }) => op + mapped(matrix, points).map(short).join(" "))
      .join("");
  }
}
