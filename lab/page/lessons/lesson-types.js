// SPDX-License-Identifier: GPL-2.0-only

/**
 * What lessons.json holds (the docstring of lab/lessons.py), as types.
 *
 * @typedef {Record<string, any>} Scenario option texts, complete: as a line of `run --batch`
 *
 * @typedef {object} TraceWindow
 * @property {number} begin s
 * @property {number} end s; the moment itself for words that end in "-at"
 * @property {number} gap s
 * @property {number | null} session
 * @property {number | null} connection
 *
 * @typedef {object} Measure
 * @property {string} [measure] a path into the result
 * @property {string} [trace] or a word for the traces
 * @property {TraceWindow} [window]
 * @property {Scenario} scenario
 *
 * @typedef {Measure & {ratioTo?: Measure}} Quantity
 *
 * @typedef {{low?: number, high?: number, equals?: any}} Bounds
 *
 * @typedef {Quantity & {bounds: Bounds}} Condition
 *
 * @typedef {object} ChoiceQuestion
 * @property {"choice"} kind
 * @property {{text: string, when: Condition[]}[]} choices text: HTML
 *
 * @typedef {object} NumberQuestion
 * @property {"number"} kind
 * @property {Quantity} quantity
 * @property {string} unit
 * @property {number} perUnit
 * @property {number} minimum
 * @property {number} maximum
 * @property {number} near
 *
 * @typedef {object} CurveQuestion
 * @property {"curve"} kind
 * @property {string} over an option, or "time"
 * @property {string[]} at
 * @property {number[]} x
 * @property {Measure[]} measures
 * @property {string} labelX
 * @property {string} labelY
 * @property {string} unit
 * @property {number} perUnit
 * @property {number} maximum
 * @property {number} near
 *
 * @typedef {ChoiceQuestion | NumberQuestion | CurveQuestion} Prediction
 *
 * @typedef {object} Goal
 * @property {string} text HTML
 * @property {string | null} unit
 * @property {number} perUnit
 * @property {Condition} condition
 *
 * @typedef {object} FindTask
 * @property {"find"} kind
 * @property {string[]} change options
 * @property {Record<string, string>} solution
 * @property {Goal[]} goal
 *
 * @typedef {(FindTask | ChoiceQuestion | NumberQuestion) & {scenario: Scenario, help: string[]}} Exercise
 *
 * @typedef {{kind: "whole"} | {kind: "last", seconds: number}
 *   | {kind: "span", begin: number, end: number}} View
 *
 * @typedef {object} Lesson
 * @property {string} id
 * @property {number} number
 * @property {string} title
 * @property {string} topic the question that it is listed below
 * @property {string} learn what one learns; empty: that is not told
 * @property {string | null} paper name of the paper that it is about, in papers.json
 * @property {number} minutes
 * @property {Scenario} scenario
 * @property {View} view
 * @property {string[]} charts names of the panels that are shown; empty: all
 * @property {number} speed
 * @property {number} start s
 * @property {number} stop s
 * @property {{t: number, text: string}[]} marks text: HTML
 * @property {{handout: string, answers: string}} printed where its pages for print are
 * @property {Record<"question" | "prediction" | "watch" | "explanation" | "exercise", string>} parts HTML
 * @property {Prediction} prediction
 * @property {Exercise} exercise
 * @property {{id: string, text: string}[]} claims
 *
 * @typedef {number | (number | null)[]} Answer index of a choice, a number, or a curve's values
 *
 * @typedef {object} LaboratoryLike what lessons need of laboratory.js
 * @property {import("../engine/laboratory.js").Option[]} options
 * @property {(scenario: Scenario) => Promise<any>} run
 * @property {(scenario: Scenario, span: {begin: number, end: number, until?: number}) =>
 *   Promise<{cwnd: string, queue: string, drops: string}>} record
 * @property {() => unknown} cancel
 *
 * @typedef {object} PlayerLike what lessons need of player.js; an EventTarget, too
 * @property {{scenario: Scenario, t: number, playing: boolean, ended: boolean}} state
 * @property {(scenario: Scenario, how?: {keepTime?: boolean}) => Promise<unknown>} setScenario
 * @property {() => void} play
 * @property {() => void} pause
 * @property {(t: number) => Promise<unknown>} seek
 * @property {(speed: number) => void} setSpeed
 * @property {(view: View) => Promise<unknown>} setView
 */

export {};
