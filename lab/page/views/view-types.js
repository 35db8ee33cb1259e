// SPDX-License-Identifier: GPL-2.0-only

/**
 * What the views are given beside the frames of laboratory.js: a resolved scenario, as `run --json`
 * prints it, and the model's answer. Times in s, rates in bit/s, sizes in bytes.
 *
 * @typedef {object} SessionScenario
 * @property {string} mode how the parallelism is chosen
 * @property {number} window_bytes
 * @property {number} file_size_bytes
 * @property {string} direction upload, download or third-party
 * @property {number} delay_s one way, of this session's path
 * @property {string} [tcp] its congestion control
 * @property {string} [tool] what moves its file; absent: gridftp
 * @property {string} [stripes] "MxN"
 * @property {number} [retries]
 *
 * @typedef {object} Fault what goes wrong
 * @property {string} kind
 * @property {number} session
 * @property {string} server at which end
 * @property {number} stripe
 * @property {number} connection
 * @property {number} at_s
 * @property {number} for_s 0: for ever
 *
 * @typedef {object} Scenario
 * @property {number} bandwidth_bps
 * @property {number} delay_s
 * @property {number} [reverse_bandwidth_bps] of the bottleneck, against the first session's data
 * @property {number} [reverse_delay_s] one way, likewise
 * @property {number} queue_packets
 * @property {string} queue_discipline
 * @property {number} red_min_threshold_packets
 * @property {number} red_max_threshold_packets
 * @property {number} [codel_target_s]
 * @property {number} [pie_target_s]
 * @property {string} [stack] TCP of the hosts
 * @property {boolean} [ecn] whether hosts use ECN
 * @property {number} packet_size_bytes
 * @property {number} access_bandwidth_bps
 * @property {number} access_delay_s
 * @property {SessionScenario[]} sessions
 * @property {Fault[]} [faults]
 * @property {{tcp: string, window_bytes: number, delay_s: number, start_s: number,
 *   stop_s: number}[]} background stop_s 0: never
 *
 * @typedef {object} Model
 * @property {number} rtt_s
 * @property {Float64Array} goodput_bps for N = 1, 2 ...
 * @property {number} optimum N; infinite where more never hurts
 */
export {};
