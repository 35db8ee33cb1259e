/** When to redraw: once a frame at most; twice a second where people ask for less motion. */

const QUIET_MS = 500;
const query = matchMedia("(prefers-reduced-motion: reduce)");

/** @returns {boolean} whether people ask for less motion */
export function reducedMotion() {
  return query.matches;
}

/** Draws when asked to, many requests at once, and no more often than the reader likes. */
export class Redraw {
  /** @param {(now: number) => void} draw given the real time, ms */
  constructor(draw) {
    this.draw = draw;
    this.last = Number.NEGATIVE_INFINITY;
    this.pending = false;
  }

  /** Asks for a drawing soon. */
  request() {
    if (this.pending) return;
    this.pending = true;
    const wait = reducedMotion() ? this.last + QUIET_MS - performance.now() : 0;
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
