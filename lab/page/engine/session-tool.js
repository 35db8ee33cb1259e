// SPDX-License-Identifier: GPL-2.0-only

/** What moves the file of a session. */

/**
 * @param {{tool?: string} | undefined} session resolved; undefined: a background connection
 * @returns {boolean} whether it has chunks, a tuner and a number of connections
 */
export function isGridFtp(session) {
  return (session?.tool ?? "gridftp") === "gridftp";
}
