// SPDX-License-Identifier: GPL-2.0-only

/**
 * The laboratory within a page of others, at the address with "?embed": network, time and charts of a
 * state, and the way to all of it. The style sheet hides the rest, by `data-embedded` of the root.
 */

import { find } from "./dom.js";

const KEY = "embed";
const SIZE = { width: 800, height: 800 };

/** @returns {boolean} whether this page is within another */
function isEmbedded() {
  return new URLSearchParams(location.search).has(KEY);
}

/** Before anything is drawn, so that nothing moves afterwards. */
export function markEmbedded() {
  document.documentElement.toggleAttribute("data-embedded", isEmbedded());
}

/** @param {() => void} write brings the address up to date */
export function bindEmbedded(write) {
  const link = find("#all-of-it", HTMLAnchorElement);
  link.hidden = !isEmbedded();
  for (const event of ["pointerdown", "focus"]) {
    link.addEventListener(event, () => {
      write();
      link.href = location.pathname + location.hash;
    });
  }
}

/**
 * @param {Location | URL} address of the page with its state
 * @returns {string} HTML that shows the same in another page
 */
export function embedCode({ origin, pathname, hash }) {
  const source = `${origin}${pathname}?${KEY}${hash}`
    .replaceAll("&", "&amp;")
    .replaceAll('"', "%22");
  const { width, height } = SIZE;
  return `<iframe src="${source}" width="${width}" height="${height}" title="GridFTP laboratory"></iframe>`;
}
