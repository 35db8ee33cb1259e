// SPDX-License-Identifier: GPL-2.0-only

/** A session's chunks over N: marks joined in their order, older ones paler, and the one under way. */

/** @typedef {import("../engine/laboratory.js").Session} Session */

/** More chunks than this are not drawn: the latest are. */
const MOST = 120;
const PALEST = 0.25;

/**
 * @param {any} chart a uPlot with N across and goodput upwards
 * @param {Session} session
 * @param {string} colour
 * @param {number} shape sessions are told apart by it, too
 * @param {string} background
 */
export function drawChunks(chart, session, colour, shape, background) {
  const ratio = devicePixelRatio;
  const { ctx, bbox } = chart;
  const at = (/** @type {number} */ n, /** @type {number} */ goodput) => ({
    x: chart.valToPos(n, "x", true),
    y: chart.valToPos(goodput, "y", true),
  });
  const points = session.chunks.slice(-MOST).map((one) => at(one.parallelism, one.goodput));
  const current = at(session.parallelism, session.goodput ?? 0);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.setLineDash([]);
  joinPoints(ctx, session.transferring ? [...points, current] : points, ratio);
  points.forEach((point, index) => {
    ctx.globalAlpha = PALEST + (1 - PALEST) * ((index + 1) / points.length);
    mark(ctx, point.x, point.y, 4 * ratio, shape);
    ctx.fill();
  });
  ctx.globalAlpha = 1;
  const now = session.transferring ? current : points.at(-1);
  if (now !== undefined && session.goodput !== null) {
    mark(ctx, now.x, now.y, 7 * ratio, shape);
    ctx.fillStyle = session.transferring ? background : colour;
    ctx.lineWidth = 3 * ratio;
    ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{x: number, y: number}[]} points
 * @param {number} width
 */
function joinPoints(context, points, width) {
  context.globalAlpha = 0.45;
  context.lineWidth = width;
  context.beginPath();
  points.forEach(({ x, y }, index) => {
    if (index === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  });
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} shape circle, square, triangle, diamond
 */
function mark(context, x, y, radius, shape) {
  context.beginPath();
  const corners = [0, 4, 3, 4][shape % 4];
  if (corners === 0) {
    context.arc(x, y, radius, 0, 2 * Math.PI);
    return;
  }
  const turn = shape % 4 === 1 ? Math.PI / 4 : -Math.PI / 2;
  for (let corner = 0; corner < corners; corner += 1) {
    const angle = turn + (corner * 2 * Math.PI) / corners;
    const [cornerX, cornerY] = [
      x + 1.2 * radius * Math.cos(angle),
      y + 1.2 * radius * Math.sin(angle),
    ];
    if (corner === 0) context.moveTo(cornerX, cornerY);
    else context.lineTo(cornerX, cornerY);
  }
  context.closePath();
}
