// SPDX-License-Identifier: GPL-2.0-only

/** What the editor begins with: a tuner that works, and is beaten. */
export const EXAMPLE = `// Doubles N while that raises the goodput by a tenth, then stays at the best N.
let n = 1;
let most = 1;
let best = 0;
let isSettled = false;

function tune(seen) {
  if (seen.event === "hello") {
    most = seen.max_parallelism;
    return n;
  }
  if (isSettled) return n;
  if (seen.goodput_bps > 1.1 * best) {
    best = seen.goodput_bps;
    n = Math.min(2 * n, most);
  } else {
    n = Math.max(1, seen.parallelism / 2);
    isSettled = true;
  }
  return n;
}
`;
