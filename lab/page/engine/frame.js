// SPDX-License-Identifier: GPL-2.0-only

/** What the worker tells the page of a moment: the engine's rows as named values, a Frame. */

import { isGridFtp } from "./session-tool.js";

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {import("./laboratory.js").Frame} Frame */

/** Sessions' states, as SessionState in core/segment/simulation/gridftp-segment-views.h. */
const STATES = ["waiting", "logging in", "transferring", "quitting", "done", "failed"];

/** More windows than that are not drawn. */
const MOST_WINDOWS = 256;

/** With more windows than that only their last values are drawn. */
const MOST_BANDS = 16;

/** @param {number} value @returns {number | null} null for what is not known */
function known(value) {
  return Number.isNaN(value) ? null : value;
}

/**
 * @param {Float64Array} rows all
 * @param {number} width numbers in a row
 * @returns {number[][]} each
 */
function split(rows, width) {
  return Array.from({ length: rows.length / width }, (_, row) => [
    ...rows.subarray(row * width, (row + 1) * width),
  ]);
}

/**
 * @param {Engine} engine with a run
 * @param {number} flows sessions and backgrounds
 * @returns {import("./laboratory.js").ChartData["intervals"]}
 */
function makeIntervals(engine, flows) {
  const width = 3 + flows;
  const rows = engine.rows(engine.c.lab_flows());
  const count = rows.length / width;
  const column = (/** @type {number} */ index) =>
    Float64Array.from({ length: count }, (_, row) => rows[width * row + index]);
  const begins = column(0);
  const ends = column(1);
  return {
    begins,
    ends,
    times: begins.map((begin, row) => (begin + ends[row]) / 2),
    jain: Float32Array.from(column(2)),
    goodputs: Array.from({ length: flows }, (_, flow) => Float32Array.from(column(3 + flow))),
  };
}

/**
 * @param {Engine} engine with a run
 * @param {number} flows sessions and backgrounds
 * @returns the charts' data over its axis
 */
function makeCharts(engine, flows) {
  const [begin, width, count] = engine.rows(engine.c.lab_axis());
  const times = Float64Array.from({ length: count }, (_, bin) => begin + (bin + 0.5) * width);
  const rows = engine.rows(engine.c.lab_queue());
  const wide = 5;
  const column = (/** @type {number} */ index) =>
    Float32Array.from({ length: count }, (_, bin) => rows[wide * bin + index]);
  const queue = { min: column(0), max: column(1), last: column(2) };
  const counts = (/** @type {number} */ index) => Uint32Array.from(column(index));
  const drops = counts(3);
  const marks = counts(4);
  const rtts = makeRtts(engine, flows, count);
  const idle = [...engine.rows(engine.c.lab_idle_rtts())];
  const list = split(engine.rows(engine.c.lab_window_list()), 2);
  const windows = list
    .slice(0, MOST_WINDOWS)
    .map(([session, connection]) =>
      makeWindows(engine, { session, connection, count, band: list.length <= MOST_BANDS }),
    );
  const moving = engine.c.lab_windows_move() === 1;
  const segment = engine.c.lab_segment_bytes();
  const intervals = makeIntervals(engine, flows);
  const end = begin + count * width;
  const ofQueue = { queue, drops, marks };
  return { begin, end, times, ...ofQueue, rtts, idle, windows, intervals, moving, segment };
}

/**
 * @param {Engine} engine with a run
 * @param {number} flows sessions and backgrounds
 * @param {number} count of bins
 * @returns {import("./laboratory.js").Band[]} smoothed RTT of each flow, s; none of many
 */
function makeRtts(engine, flows, count) {
  if (flows > MOST_BANDS) return [];
  const width = 3;
  const rows = engine.rows(engine.c.lab_rtts());
  return Array.from({ length: flows }, (_, flow) => {
    const column = (/** @type {number} */ index) =>
      Float32Array.from({ length: count }, (_, bin) => rows[width * (flow * count + bin) + index]);
    return { min: column(0), max: column(1), last: column(2) };
  });
}

/**
 * @param {Engine} engine with a run
 * @param {{session: number, connection: number, count: number, band: boolean}} which connection,
 *     how many bins, and whether with smallest and largest values
 */
function makeWindows(engine, { session, connection, count, band }) {
  const at = engine.c.lab_windows(session, connection);
  const width = 5;
  const rows = new Float32Array(engine.buffer, at, width * count);
  const column = (/** @type {number} */ index) => {
    const values = new Float32Array(count);
    for (let bin = 0; bin < count; ++bin) {
      values[bin] = rows[width * bin + index];
    }
    return values;
  };
  const none = () => new Float32Array(0);
  return {
    session,
    connection,
    min: band ? column(0) : none(),
    max: band ? column(1) : none(),
    last: column(2),
    ssthresh: column(3),
    flight: band ? column(4) : none(),
  };
}

/**
 * @param {Engine} engine with a run
 * @param {any[]} chunks known so far of this session; new ones are added
 * @param {number} session index
 */
function addChunks(engine, chunks, session) {
  const rows = split(engine.rows(engine.c.lab_chunks(session, chunks.length)), 7);
  for (const [start, end, bytes, parallelism, nextParallelism, goodput, rtt] of rows) {
    const index = chunks.length;
    chunks.push({ index, start, end, bytes, parallelism, nextParallelism, goodput, rtt });
  }
}

/** @typedef {{restarts: {time: number, held: number, wait: number}[], resent: number | null}} Tries */

/** @type {Tries} */
const NO_TRIES = { restarts: [], resent: null };

/**
 * @param {Engine} engine with a run
 * @param {number} session index, of one that may try again
 * @returns {Tries}
 */
function makeTries(engine, session) {
  const [resent, ...rest] = engine.rows(engine.c.lab_restarts(session));
  const restarts = split(Float64Array.from(rest), 3).map(([time, held, wait]) => ({
    time,
    held,
    wait,
  }));
  return { restarts, resent: known(resent) };
}

/**
 * @param {number[]} row of LabSimulation::MakeSessions()
 * @param {any[]} chunks of the session
 * @param {{now: number, told: number, tries: Tries}} at which time, s; how many of the chunks the
 *     page has; see makeTries()
 */
function makeSession(row, chunks, { now, told, tries }) {
  const [state, transferring, chunk, parallelism, chunkStart, chunkBytes, completeBytes] = row;
  const [rtt, window, windowLimit, model, segments, retransmissions, timeouts] = row.slice(7);
  const latest = chunks.at(-1);
  const elapsed = now - chunkStart;
  const failure = tries.restarts.at(-1);
  const ofChunk = failure && (latest === undefined || failure.time > latest.end);
  const reached = chunkBytes + (ofChunk ? failure.held : 0);
  const soFar = transferring && elapsed > 0 ? (reached * 8) / elapsed : null;
  const bytes = completeBytes + reached;
  const start = chunks.length > 0 ? chunks[0].start : transferring ? chunkStart : null;
  const until = transferring || !latest ? now : latest.end;
  return {
    state: STATES[state],
    transferring: transferring === 1,
    chunk,
    parallelism,
    start,
    chunkStart,
    chunkBytes: reached,
    bytes,
    goodput: soFar ?? latest?.goodput ?? null,
    meanGoodput: start === null || until <= start ? null : (bytes * 8) / (until - start),
    rtt: known(rtt),
    window,
    windowLimit: known(windowLimit),
    model: known(model),
    segments,
    retransmissions,
    timeouts,
    loss: segments > 0 ? retransmissions / (segments + retransmissions) : 0,
    complete: chunks.length,
    chunks: chunks.slice(told),
    ...tries,
  };
}

/**
 * What other tools than GridFTP have no chunks for: the same of the whole file.
 * @param {ReturnType<typeof makeSession>} session as of GridFTP
 * @param {number[]} row of LabSimulation::MakeSessions()
 * @param {number} now s
 */
function ofOtherTool(session, row, now) {
  const [bytes, end] = row.slice(15);
  const { chunkStart, transferring } = session;
  const until = known(end) ?? now;
  const hasBegun = (transferring || known(end) !== null) && until > chunkStart;
  const goodput = hasBegun ? (bytes * 8) / (until - chunkStart) : null;
  const start = hasBegun ? chunkStart : null;
  return { ...session, bytes, start, goodput, meanGoodput: goodput };
}

/** @param {Engine} engine with a run @returns its open data connections */
function makeConnections(engine) {
  return split(engine.rows(engine.c.lab_connections()), 10).map((row) => {
    const [session, chunk, connection, connected, cwnd, ssthresh, flight, acked, state, rtt] = row;
    return {
      session,
      chunk,
      connection,
      connected: connected === 1,
      cwnd,
      ssthresh: known(ssthresh),
      flight,
      acked,
      state,
      rtt,
    };
  });
}

/**
 * @param {any} run the worker's Run
 * @param {{packets?: boolean, charts?: boolean}} wanted beside the state
 * @returns {Frame} as it is now, of the chunks those since the frame before
 */
export function makeFrame(run, wanted) {
  const { engine, resolved, charted } = run;
  const state = engine.rows(engine.c.lab_state());
  const [moment, ended, queue, drops, forwarded, , utilisation, marks] = state;
  // The very time that was asked for: the engine's own is rounded to nanoseconds.
  const now = run.ended ? moment : run.now;
  const rows = split(engine.rows(engine.c.lab_sessions()), 17);
  const sessions = rows.map((row, index) => {
    const told = run.chunks[index].length;
    addChunks(engine, run.chunks[index], index);
    const tries = resolved.sessions[index].retries > 0 ? makeTries(engine, index) : NO_TRIES;
    const session = makeSession(row, run.chunks[index], { now, told, tries });
    return isGridFtp(resolved.sessions[index]) ? session : ofOtherTool(session, row, now);
  });
  const background = split(engine.rows(engine.c.lab_background()), 4).map(
    ([goodput, segments, retransmissions, timeouts]) => ({
      goodput,
      segments,
      retransmissions,
      timeouts,
    }),
  );
  if (wanted.charts && now > charted.now) {
    const bits = (forwarded - charted.forwarded) * 8;
    run.charted = { now, forwarded, recent: bits / (resolved.bandwidth_bps * (now - charted.now)) };
  }
  const failed = sessions.some(({ state }) => state === "failed");
  return {
    now,
    ended: ended === 1 || run.ended,
    status: failed ? "failed" : ended === 1 ? "done" : "running",
    reason: failed || (run.ended && ended !== 1) ? JSON.parse(engine.result()).reason : null,
    sessions,
    background,
    connections: makeConnections(engine),
    queue,
    queueLimit: resolved.queue_packets,
    drops,
    marks,
    utilisation,
    recentUtilisation: run.charted.recent,
    packets: run.watched ? engine.rows(engine.c.lab_packets()).slice() : null,
    cost: run.cost,
    recentDrops: engine.rows(engine.c.lab_drops()).slice(),
    charts: wanted.charts ? makeCharts(engine, rows.length + background.length) : null,
  };
}
