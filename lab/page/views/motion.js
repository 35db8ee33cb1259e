// SPDX-License-Identifier: GPL-2.0-only

/** When to redraw: once a frame at most; twice a second where people ask for less motion. */

const QUIET_MS = 500;
const query = matchMedia("(prefers-reduced-motion: reduce)");

/** @returns {boolean} whether people ask for less motion */
export function reducedMotion() {
  return query.matches;
}

/** Draws when asked to, many requests at once, and no more often than the reader likes. */
export class Redraw {
  /**
   * @param {(now: number) => void} draw given the real time, ms
   * @param {number} [every] ms between two drawings at least
   */
  constructor(draw, every = 0) {
    this.draw = draw;
    this.every = every;
    this.last = Number.NEGATIVE_INFINITY;
    this.pending = false;
  }

  /** Asks for a drawing soon. */
  request() {
    if (this.pending) return;
    this.pending = true;
    const every = reducedMotion() ? Math.max(QUIET_MS, this.every) : this.every;
    const wait = this.last + every - performance.now();
    if (wait > 0) setTimeout(() => requestAnimationFrame((now) => this.run(now)), wait);
    else requestAnimationFrame((now) => this.run(now));
  }

  /** @param {number} now */
  run(now) {
    this.pending = false;
    this.last = now;
    this.draw(now);
  }
}
