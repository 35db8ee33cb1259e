// SPDX-License-Identifier: GPL-2.0-only

/** Packets that were refused: a mark falls from the queue for a moment of real time. */
import { ROW } from "./dumbbell-packets.js";
import { reducedMotion } from "./motion.js";

/** @typedef {{born: number, session: number, connection: number, aside: number, lost: boolean}} Mark */

const LIFE_MS = 450;
const QUIET_LIFE_MS = 1500;
const MOST_AT_ONCE = 6;

export class DropMarks {
  constructor() {
    /** @type {Mark[]} */
    this.marks = [];
    this.spread = 0;
  }

  /**
   * @param {import("../engine/laboratory.js").Frame} frame
   * @param {number} now real time, ms
   */
  take(frame, now) {
    this.add(frame.recentDrops, 3, 1, false, now);
    const lost = lostRows(frame.packets);
    if (lost.length > 0) this.add(Float64Array.from(lost), 2, 0, true, now);
    this.marks = this.marks.filter((mark) => now - mark.born < this.life());
  }

  clear() {
    this.marks = [];
  }

  /** @returns {number} how long a mark is seen, ms */
  life() {
    return reducedMotion() ? QUIET_LIFE_MS : LIFE_MS;
  }

  /**
   * @param {Float64Array} rows
   * @param {number} width of a row
   * @param {number} session its column; the connection's is the next
   * @param {boolean} lost behind the queue, by chance
   * @param {number} now
   */
  add(rows, width, session, lost, now) {
    const count = Math.floor((rows?.length ?? 0) / width);
    const stride = Math.max(1, Math.ceil(count / MOST_AT_ONCE));
    for (let row = 0; row < count; row += stride) {
      this.spread = (this.spread + 0.382) % 1; // side by side, not one upon the other
      this.marks.push({
        born: now,
        session: rows[row * width + session],
        connection: rows[row * width + session + 1],
        aside: this.spread,
        lost,
      });
    }
    if (this.marks.length > 4 * MOST_AT_ONCE)
      this.marks.splice(0, this.marks.length - 4 * MOST_AT_ONCE);
  }

  /**
   * @param {number} now
   * @returns {boolean} whether any is still to be seen
   */
  alive(now) {
    return this.marks.some((mark) => now - mark.born < this.life());
  }
}

/**
 * @param {Float64Array | null} packets
 * @returns {number[]} session and connection of those lost behind the forward queue
 */
function lostRows(packets) {
  const found = [];
  for (let at = 0; packets !== null && at < packets.length; at += ROW) {
    if (packets[at] === 9) found.push(packets[at + 3], packets[at + 4]);
  }
  return found;
}
