// SPDX-License-Identifier: GPL-2.0-only

/**
 * Runs in the worker that somebody's tuner is given, before the tuner does: takes away all of the
 * worker's world but the language itself, then loads the tuner and asks it what the page asks.
 *
 * No network, no storage, no other worker, no clock, nothing at random that is not the same again.
 * What cannot be taken away, import(), sandbox.html forbids. A plain script, since the tuner's own
 * is one, too; its lines count from the first.
 */
(() => {
  /** What stays, of ECMAScript; and the console, for whoever looks for a mistake. */
  const KEPT = new Set(
    (
      "globalThis undefined NaN Infinity Object Function Array Number Boolean String Symbol BigInt Math JSON " +
      "Map Set WeakMap WeakSet Promise Proxy Reflect Iterator Error AggregateError EvalError RangeError " +
      "ReferenceError SyntaxError TypeError URIError ArrayBuffer DataView Int8Array Uint8Array " +
      "Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array " +
      "Float16Array Float32Array Float64Array isFinite isNaN parseFloat parseInt eval console"
    ).split(" "),
  );

  const say = self.postMessage.bind(self);
  const load = self.importScripts.bind(self);

  /** @returns {string[]} what could not be taken away */
  function takeAway() {
    /** @type {string[]} */
    const left = [];
    for (let place = self; place !== Object.prototype; place = Object.getPrototypeOf(place)) {
      for (const name of Object.getOwnPropertyNames(place)) {
        const own = Object.getOwnPropertyDescriptor(place, name);
        // Numbers that some browsers have and that do nothing, as PERSISTENT
        const isNumber = typeof own?.value === "number";
        if (!KEPT.has(name) && !Reflect.deleteProperty(place, name) && !isNumber) left.push(name);
      }
    }
    return left;
  }

  /**
   * Numbers that look random (Mulberry32), for Math.random.
   * @param {number} seed
   */
  function drawFrom(seed) {
    let state = seed;
    return () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
  }

  /**
   * @param {unknown} value that is no number
   * @returns {string} as a person would write it; nothing of the value is called for that
   */
  function describe(value) {
    if (typeof value === "string") return JSON.stringify(value.slice(0, 40));
    if (typeof value === "bigint") return "a BigInt";
    if (typeof value === "symbol" || typeof value === "function") return `a ${typeof value}`;
    if (typeof value === "object" && value !== null) return "an object";
    return String(value);
  }

  /**
   * @param {unknown} error anything that was thrown
   * @param {string} address of the tuner's script
   */
  function tell(error, address) {
    const isError = error instanceof Error;
    const stack = isError ? String(error.stack) : "";
    const line = Number(stack.split(`${address}:`)[1]?.split(":")[0] ?? 0);
    say({
      kind: "problem",
      message: isError ? `${error.name}: ${error.message}` : `threw ${describe(error)}`,
      line,
    });
  }

  /** @type {((seen: any) => unknown) | null} */
  let decide = null;
  let address = "";

  /** @param {{address: string, seed: number}} tuner */
  function open(tuner) {
    address = tuner.address;
    const left = takeAway();
    if (left.length > 0) {
      say({
        kind: "problem",
        message: `this browser keeps ${left.join(", ")} in a worker`,
        line: 0,
      });
      return;
    }
    Math.random = drawFrom(tuner.seed);
    say({ kind: "confined" });
    // What is wrong with the script itself the worker's own error event tells, with the line
    load(address);
    // @ts-expect-error it is the tuner's
    if (typeof tune === "function") decide = tune;
    say(
      decide
        ? { kind: "ready" }
        : {
            kind: "problem",
            message: "there is no function tune; the code has to define one",
            line: 0,
          },
    );
  }

  /** @param {any} seen */
  function ask(seen) {
    try {
      const value = decide?.(seen);
      say(
        typeof value === "number"
          ? { kind: "answer", value }
          : { kind: "answer", text: describe(value) },
      );
    } catch (error) {
      tell(error, address);
    }
  }

  self.addEventListener("message", ({ data }) => (decide ? ask(data.seen) : open(data)));
})();
