// SPDX-License-Identifier: GPL-2.0-only

/** An SVG picture in pixels. */

/** Pixels of the picture for each of the page's: sharp on paper and on a projector. */
const SCALE = 2;

/**
 * @param {string} svg a file, with its width and height
 * @returns {Promise<Blob>} a PNG file, two pixels wide where the SVG is one
 * @throws {Error} the browser cannot draw it, or has no room for so many pixels
 */
export async function rasterise(svg) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width * SCALE;
    canvas.height = image.height * SCALE;
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("this browser cannot draw pictures");
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await toPng(canvas);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * @param {HTMLCanvasElement} canvas
 * @returns {Promise<Blob>}
 */
function toPng(canvas) {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error(`a picture of ${canvas.width} x ${canvas.height} is too large`));
    }, "image/png");
  });
}
