// SPDX-License-Identifier: GPL-2.0-only

/**
 * Loads a WebAssembly module that a static host has compressed by gzip, so that no more than that
 * comes over the wire, whether or not the host compresses what it sends.
 */

/** What every gzip file begins with (RFC 1952, Section 2.3.1). */
const GZIP = 0x1f;

/**
 * Compiles a module while it comes.
 *
 * @param {URL} url of the file.wasm.gz
 * @returns {Promise<WebAssembly.Module>} the module
 * @throws {Error} it cannot be loaded, or this browser cannot decompress it; a sentence for the user
 */
export async function fetchModule(url) {
  if (!("DecompressionStream" in globalThis)) {
    throw new Error(
      "this browser cannot decompress the engine; allowed: Chromium from 80, Firefox from 113, " +
        "Safari from 16.4 on",
    );
  }
  const answer = await fetch(url);
  const name = url.pathname.split("/").at(-1);
  if (!answer.ok || !answer.body) {
    throw new Error(`${name} cannot be loaded: ${answer.status} ${answer.statusText}`);
  }
  try {
    const body = await decompressed(answer.body);
    // The type is ours to give: a static host has one for gzip, if any
    const headers = { "Content-Type": "application/wasm" };
    return await WebAssembly.compileStreaming(new Response(body, { headers }));
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new Error(`${name} is damaged or incomplete: ${message}`);
  }
}

/**
 * Some hosts tell of such a file that its content is encoded, and the browser has decoded it then.
 *
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body of an answer
 * @returns {Promise<ReadableStream<Uint8Array<ArrayBuffer>>>} what is in it
 */
export async function decompressed(body) {
  const [start, whole] = body.tee();
  const reader = start.getReader();
  const { value } = await reader.read();
  reader.cancel();
  return value?.[0] === GZIP ? whole.pipeThrough(new DecompressionStream("gzip")) : whole;
}
