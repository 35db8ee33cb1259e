// SPDX-License-Identifier: GPL-2.0-only

/**
 * Whether the page shows its entry, as class "at-entry" of its root: where the address has no state,
 * unless the reader has put it away, or the page is within another one or in a lecture hall.
 */

const KEY = "gridftp-lab-welcomed";
const AT_ENTRY = "at-entry";
const root = document.documentElement;

/** @returns {boolean} whether an address without a state is the entry's, or the bench's */
export function hasEntry() {
  return location.search === "" && !wasPutAway();
}

/** Before anything is drawn, so that nothing moves afterwards. */
export function markEntry() {
  showEntry(location.hash === "" && location.protocol !== "file:" && hasEntry());
}

/** @param {boolean} shown */
export function showEntry(shown) {
  root.classList.toggle(AT_ENTRY, shown);
}

/** @returns {boolean} */
export function isAtEntry() {
  return root.classList.contains(AT_ENTRY);
}

/** From now on the bench is what an address without a state shows, in this browser. */
export function putAway() {
  try {
    localStorage.setItem(KEY, "yes");
  } catch {
    // Put away for this visit only.
  }
}

/** @returns {boolean} */
function wasPutAway() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false; // storage is closed to this page
  }
}
