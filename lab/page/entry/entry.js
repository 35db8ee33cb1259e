// SPDX-License-Identifier: GPL-2.0-only

/**
 * The entry: what the laboratory is, with the defaults running beside it, the lessons by question, and
 * the papers with those of their claims that the bench can show.
 */

import { element, find, focusBench } from "../dom.js";
import { isDone } from "../lessons/lesson-memory.js";
import { isAtEntry, putAway, showEntry } from "./place.js";

/** @typedef {import("../lessons/lesson-types.js").Lesson} Lesson */
/**
 * @typedef {object} Paper as in papers.json
 * @property {string} name
 * @property {string} authors
 * @property {string} title
 * @property {string} citation empty: there is none
 * @property {{text: string, state: string}[]} claims state: the part of an address behind the page's
 */

/** More authors than these are "and others". */
const MOST_AUTHORS = 3;

export class Entry {
  #topics = find("#entry-topics", HTMLElement);
  #papers = find("#entry-papers", HTMLElement);
  #ways;
  /** @type {Lesson[]} */
  #lessons = [];
  /** @type {Paper[]} */
  #known = [];

  /**
   * @param {object} ways
   * @param {(change: () => unknown) => void} ways.turn to a place of its own, from which Back returns
   * @param {() => void} ways.toBench closes what is open beside the bench
   * @param {(id: string) => void} ways.toLesson opens one
   */
  constructor(ways) {
    this.#ways = ways;
    find("#enter-bench", HTMLButtonElement).addEventListener("click", () => this.leave());
    find("#welcome-close", HTMLButtonElement).addEventListener("click", () => {
      putAway();
      this.leave();
    });
    find("#first-lesson", HTMLButtonElement).addEventListener("click", () => {
      this.#open(this.#lessons[0].id);
    });
    find("#to-entry", HTMLAnchorElement).addEventListener("click", (event) => {
      event.preventDefault();
      ways.turn(() => this.show());
      window.scrollTo(0, 0);
    });
  }

  /** @returns {boolean} whether it is what the page shows */
  get isShown() {
    return isAtEntry();
  }

  /** @param {Lesson[]} lessons @param {Paper[]} papers */
  setContents(lessons, papers) {
    this.#lessons = lessons;
    this.#known = papers;
    this.#papers.replaceChildren(...papers.map(paperItem));
  }

  show() {
    this.#drawTopics();
    showEntry(true);
    this.#ways.toBench();
  }

  /** What the address has is shown in its place. */
  hide() {
    showEntry(false);
  }

  /** To the bench as it is, if the entry is there. */
  leave() {
    if (!this.isShown) return;
    this.#ways.turn(() => {
      this.hide();
      this.#ways.toBench();
      focusBench();
    });
  }

  /** @param {string} id of a lesson */
  #open(id) {
    this.#ways.turn(() => {
      this.hide();
      this.#ways.toLesson(id);
    });
  }

  #drawTopics() {
    const topics = [...new Set(this.#lessons.map(({ topic }) => topic))];
    this.#topics.replaceChildren(
      ...topics.map((topic) => {
        const lessons = this.#lessons.filter((lesson) => lesson.topic === topic);
        const items = lessons.map((lesson) => this.#lessonItem(lesson));
        return element("section", { class: "panel" }, [
          element("h3", {}, [topic]),
          element("ul", {}, items),
        ]);
      }),
    );
  }

  /** @param {Lesson} lesson */
  #lessonItem({ id, number, title, learn, minutes, paper, printed }) {
    const authors = this.#known.find(({ name }) => name === paper)?.authors;
    const about = [`${minutes} minutes`];
    if (authors) about.push(shortAuthors(authors));
    if (isDone(id)) about.push("done");
    const button = element("button", { type: "button", class: "entry-lesson" }, [
      element("b", {}, [`${number}. ${title}`]),
      element("span", {}, [learn]),
      element("span", { class: "entry-about" }, [about.join(", ")]),
    ]);
    button.addEventListener("click", () => this.#open(id));
    const name = `${title}: handout`;
    const attributes = {
      href: printed.handout,
      target: "_blank",
      rel: "noopener",
      "aria-label": name,
    };
    const handout = element("a", attributes, ["handout"]);
    return element("li", {}, [button, handout]);
  }
}

/** @param {Paper} paper */
function paperItem({ authors, title, citation, claims }) {
  const links = claims.map(({ text, state }) =>
    element("li", {}, [element("a", { href: state }, [text])]),
  );
  return element("details", { class: "panel entry-paper" }, [
    element("summary", {}, [
      element("b", {}, [shortAuthors(authors)]),
      ` ${title}. `,
      element("span", { class: "entry-about" }, [`${claims.length} claims to explore`]),
    ]),
    ...(citation ? [element("p", { class: "entry-about" }, [citation])] : []),
    element("ul", {}, links),
  ]);
}

/** @param {string} authors with commas between @returns {string} */
function shortAuthors(authors) {
  const names = authors.split(", ");
  return names.length > MOST_AUTHORS ? `${names[0]} and others` : names.join(", ");
}
