// SPDX-License-Identifier: GPL-2.0-only

/** Pages for print, of the site or opened as files: a button that prints, and addresses for paper. */

const button = document.querySelector("#print");
if (button instanceof HTMLButtonElement) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
/** Nobody types in an address that is longer than this. */
const LONGEST = 90;

// On paper a link is its address, which is known only where the site is.
for (const link of document.querySelectorAll("main a")) {
  if (link instanceof HTMLAnchorElement && link.href.length <= LONGEST) {
    link.dataset.address = link.href;
  }
}
