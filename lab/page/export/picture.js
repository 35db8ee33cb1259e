// SPDX-License-Identifier: GPL-2.0-only

/** One SVG picture made of the views' own. */

/** @typedef {{svg: string, column: "main" | "side"}} Part a view's picture, and where it stands */
/** @typedef {{title: string, text: string, background: string}} PictureLook title and colours */

const NAMESPACE = "http://www.w3.org/2000/svg";
const MARGIN = 16;
const TITLE_HEIGHT = 36;
const TITLE_SIZE = 13;

/**
 * @param {Part[]} parts in order; those of the side stand at the right of the others
 * @param {PictureLook} look
 * @returns {string} an SVG file
 */
export function composePicture(parts, { title, text, background }) {
  const pictures = parts.map(({ svg, column }, index) => ({ column, ...read(svg, `p${index}-`) }));
  const main = pictures.filter(({ column }) => column === "main");
  const side = pictures.filter(({ column }) => column === "side");
  const mainWidth = Math.max(...main.map(({ width }) => width));
  const sideWidth = Math.max(0, ...side.map(({ width }) => width));
  const mainHeight = stack(main, MARGIN);
  const sideHeight = stack(side, MARGIN + mainWidth + MARGIN);
  const width = MARGIN + mainWidth + MARGIN + (sideWidth > 0 ? sideWidth + MARGIN : 0);
  const height = TITLE_HEIGHT + Math.max(mainHeight, sideHeight);
  const root = document.createElementNS(NAMESPACE, "svg");
  setSize(root, width, height);
  const ground = document.createElementNS(NAMESPACE, "rect");
  ground.setAttribute("width", String(width));
  ground.setAttribute("height", String(height));
  ground.setAttribute("fill", background);
  root.append(makeTitle(title), ground, makeHeading(title, text, width));
  root.append(...pictures.map(({ node }) => node));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`;
}

/**
 * @param {{node: Element, height: number}[]} pictures are placed one below the other
 * @param {number} x
 * @returns {number} how high they stand
 */
function stack(pictures, x) {
  let y = TITLE_HEIGHT;
  for (const { node, height } of pictures) {
    node.setAttribute("x", String(x));
    node.setAttribute("y", String(y));
    y += height + MARGIN;
  }
  return y - TITLE_HEIGHT;
}

/**
 * @param {string} svg
 * @param {string} prefix of its ids, which are its own alone no more
 * @returns {{node: Element, width: number, height: number}}
 */
function read(svg, prefix) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const node = document.importNode(/** @type {Element} */ (parsed), true);
  for (const part of node.querySelectorAll("*")) {
    if (part.id) part.id = prefix + part.id;
    for (const { name, value } of [...part.attributes]) {
      if (value.includes("url(#")) {
        part.setAttribute(name, value.replaceAll("url(#", `url(#${prefix}`));
      }
      if (name === "href" && value.startsWith("#")) {
        part.setAttribute(name, `#${prefix}${value.slice(1)}`);
      }
    }
  }
  const box = (node.getAttribute("viewBox") ?? "").split(/[ ,]+/).map(Number);
  const width = Number.parseFloat(node.getAttribute("width") ?? "") || (box[2] ?? 0);
  const height = Number.parseFloat(node.getAttribute("height") ?? "") || (box[3] ?? 0);
  return { node, width, height };
}

/**
 * @param {Element} root
 * @param {number} width
 * @param {number} height
 */
function setSize(root, width, height) {
  root.setAttribute("width", String(width));
  root.setAttribute("height", String(height));
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
}

/** @param {string} title for those who do not see it */
function makeTitle(title) {
  const made = document.createElementNS(NAMESPACE, "title");
  made.textContent = title;
  return made;
}

/**
 * @param {string} title
 * @param {string} colour
 * @param {number} width of the picture: a long title is made to fit
 */
function makeHeading(title, colour, width) {
  const heading = document.createElementNS(NAMESPACE, "text");
  heading.setAttribute("x", String(MARGIN));
  heading.setAttribute("y", "22");
  heading.setAttribute("fill", colour);
  heading.setAttribute("font-family", "ui-monospace, DejaVu Sans Mono, Consolas, monospace");
  heading.setAttribute("font-size", String(TITLE_SIZE));
  const room = width - 2 * MARGIN;
  if (title.length * TITLE_SIZE * 0.62 > room) {
    heading.setAttribute("textLength", String(room));
    heading.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  heading.textContent = title;
  return heading;
}
