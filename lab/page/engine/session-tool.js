// SPDX-License-Identifier: GPL-2.0-only

/** What moves the file of a session. */

/**
 * @param {import("./view-types.js").SessionScenario | undefined} session undefined: a background
 * @returns {boolean} whether the engine tells what it has moved, over how many connections
 */
export function isGridFtp(session) {
  return (session?.tool ?? "gridftp") === "gridftp";
}
