// SPDX-License-Identifier: GPL-2.0-only

/** Keeps the address and the state of the page the same, with what Back and Forward lead to. */

/** Browsers limit how often an address may be written. */
const WRITE_MS = 500;

export class AddressKeeper {
  #current;
  #timer = 0;
  /** What the page last wrote or was told: any other address is one that it is yet to hear of. */
  #known = location.hash;

  /**
   * @param {() => string} current the state of the page, "#..." or empty
   * @param {(hash: string) => void} onChange told when the reader changes the address
   */
  constructor(current, onChange) {
    this.#current = current;
    window.addEventListener("hashchange", () => {
      clearTimeout(this.#timer);
      this.#timer = 0;
      this.#known = location.hash;
      onChange(this.#known);
    });
    window.addEventListener("pagehide", () => this.write());
  }

  /** Writes the state soon. */
  touch() {
    if (this.#timer) return;
    this.#timer = window.setTimeout(() => this.write(), WRITE_MS);
  }

  /** @param {() => unknown} change to a place of its own, from which Back returns to this one */
  turn(change) {
    this.write();
    change();
    this.write("pushState");
  }

  /**
   * Writes the state now, unless the reader has just given an address to go to.
   * @param {"replaceState" | "pushState"} how in place of the address, or behind it
   */
  write(how = "replaceState") {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const hash = this.#current();
    if (hash === location.hash || location.hash !== this.#known) return;
    history[how](history.state, "", location.pathname + location.search + hash);
    this.#known = location.hash;
  }
}
