// SPDX-License-Identifier: GPL-2.0-only

/**
 * A race as the part of the address behind "#": the seed of the paths, and the code, compressed
 * (zlib, RFC 1950) and then base64 of its kind for addresses (RFC 4648, Section 5). Without code it gives
 * the paths alone, for a class.
 *
 *     #seed=4711&code=eNpTVXBPTcks...
 */

import { readSeed } from "./paths.js";

/** Characters that a tuner in a link may have. */
export const MOST_CHARACTERS = 4000;

/** @typedef {{seed: number, code: string}} Entry */

/**
 * @param {string} code
 * @throws {Error} one line: it is too long
 */
export function checkLength(code) {
  if (code.length <= MOST_CHARACTERS) return;
  const [found, most] = [code.length, MOST_CHARACTERS].map((count) => count.toLocaleString("en"));
  throw new Error(`The code has ${found} characters; allowed: ${most}, so that a link can hold it`);
}

/**
 * @param {Entry} entry
 * @returns {Promise<string>} "#..."
 * @throws {Error} see checkLength()
 */
export async function formatLink({ seed, code }) {
  checkLength(code);
  const stream = new Blob([code]).stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = btoa(String.fromCharCode(...bytes));
  return `#seed=${seed}&code=${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/**
 * @param {string} hash "#..."
 * @returns {Promise<Entry>} code: empty where the link has none
 * @throws {Error} one line: what is wrong with it
 */
export async function parseLink(hash) {
  const parts = new Map(
    hash
      .replace(/^#/, "")
      .split("&")
      .map((part) => /** @type {[string, string]} */ (part.split("="))),
  );
  const seed = readSeed(parts.get("seed") ?? "");
  const text = parts.get("code");
  const code = text === undefined ? "" : await unpack(text);
  checkLength(code);
  return { seed, code };
}

/**
 * @param {string} text compressed
 * @returns {Promise<string>} as it was, and no more of it than shows that it is too long
 * @throws {Error} it is damaged
 */
async function unpack(text) {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) =>
      one.charCodeAt(0),
    );
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let code = "";
    while (code.length <= MOST_CHARACTERS) {
      const { done, value } = await reader.read();
      if (done) return code;
      code += value;
    }
    await reader.cancel();
    return code;
  } catch {
    throw new Error("its code is damaged; allowed: the complete link, as copied");
  }
}
