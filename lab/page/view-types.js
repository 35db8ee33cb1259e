/**
 * What the views are given: shapes of the scenario and of the frames that the engine answers with.
 * Times in s, rates in bit/s, sizes in bytes.
 *
 * @typedef {object} SessionScenario
 * @property {string} mode how the parallelism is chosen
 * @property {number} parallelism
 * @property {number} window_bytes
 * @property {string} direction upload or download
 * @property {number} delay_s one way, of this session's path
 *
 * @typedef {object} Scenario a resolved scenario, as `run --json` prints it
 * @property {number} bandwidth_bps
 * @property {number} delay_s
 * @property {number} queue_packets
 * @property {number} packet_size_bytes
 * @property {number} access_bandwidth_bps
 * @property {number} access_delay_s
 * @property {SessionScenario[]} sessions
 * @property {{tcp?: string, delay_s?: number}[]} background
 *
 * @typedef {object} Chunk a complete chunk
 * @property {number} index
 * @property {number} start
 * @property {number} end
 * @property {number} parallelism
 * @property {number} nextParallelism
 * @property {number} goodput
 * @property {number | null} rtt
 *
 * @typedef {object} SessionState
 * @property {boolean} transferring
 * @property {number} chunk
 * @property {number} parallelism
 * @property {number} start
 * @property {number} chunkStart
 * @property {number} chunkBytes
 * @property {number} bytes
 * @property {number} goodput
 * @property {number | null} rtt
 * @property {number} window
 * @property {number | null} windowLimit N W / R
 * @property {number | null} model Eq. (1) at this N
 * @property {number} segments
 * @property {number} retransmissions
 * @property {number} timeouts
 * @property {number} loss
 * @property {Chunk[]} chunks
 *
 * @typedef {object} Connection
 * @property {number} session
 * @property {number} connection
 * @property {number} cwnd
 * @property {number | null} ssthresh
 *
 * @typedef {object} WindowTrace
 * @property {number} session
 * @property {number} connection
 * @property {Float32Array} min
 * @property {Float32Array} max
 * @property {Float32Array} last
 * @property {Float32Array} ssthresh
 *
 * @typedef {object} ChartTraces
 * @property {number} begin
 * @property {number} end
 * @property {Float64Array} times bin centres
 * @property {{min: Float32Array, max: Float32Array, last: Float32Array}} queue
 * @property {Uint32Array} drops
 * @property {WindowTrace[]} windows
 *
 * @typedef {object} Frame
 * @property {number} now
 * @property {boolean} ended
 * @property {string} status
 * @property {string | null} reason
 * @property {SessionState[]} sessions
 * @property {{goodput: number}[]} background
 * @property {Connection[]} connections
 * @property {number} queue
 * @property {number} queueLimit
 * @property {number} drops
 * @property {number} utilisation
 * @property {Float64Array | null} packets rows of 6: place, begin, end, session, connection, kind
 * @property {Float64Array} recentDrops rows of 3: time, session, connection
 * @property {ChartTraces | null} charts
 *
 * @typedef {object} Model
 * @property {number} rtt_s
 * @property {Float64Array} goodput_bps for N = 1 .. n
 * @property {number} optimum
 *
 * @typedef {{kind: "whole"} | {kind: "last", seconds: number}
 *   | {kind: "span", begin: number, end: number}} View
 */
export {};
