// SPDX-License-Identifier: GPL-2.0-only

/**
 * What moves for who comes without a state in the address: the run of the defaults, fast enough that
 * the tuner's choices are seen within seconds.
 */

import { reducedMotion } from "../views/motion.js";

/** @typedef {import("../player/player.js").Player} Player */

/** Simulated seconds in a real one, and where it stands still: N has gone from 1 to 8 by then. */
const SPEED = 20;
const STOP_S = 90;

/** @param {Player} player is at the start of the defaults */
export function runDefaults(player) {
  if (reducedMotion()) {
    player.seek(STOP_S);
    return;
  }
  player.setSpeed(SPEED);
  stopLater(player);
  player.play();
}

/** Stops it, unless somebody has taken over. @param {Player} player */
function stopLater(player) {
  const { scenario } = player.state;
  const look = (/** @type {Event} */ event) => {
    const { playing, speed, scenario: now } = player.state;
    if (!playing || speed !== SPEED || now !== scenario) {
      player.removeEventListener("frame", look);
    } else if (/** @type {CustomEvent} */ (event).detail.now >= STOP_S) {
      player.removeEventListener("frame", look);
      player.pause();
    }
  };
  player.addEventListener("frame", look);
}
