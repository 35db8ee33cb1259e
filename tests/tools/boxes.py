"""Where the visible texts and controls of a page are, and what is wrong with that.

One function for every browser: it runs in the page.
"""

from __future__ import annotations

from driven import Driven

SETTLED = """
async () => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
}
"""
"""Layout is done, and what hears of it has drawn."""

FAULTS = """
() => {
  const root = document.documentElement;
  const faults = [];
  const name = (one) => {
    const id = one.id ? `#${one.id}` : "";
    const text = (one.textContent || one.getAttribute("aria-label") || "").trim().slice(0, 30);
    return `<${one.localName}${id} ${one.getAttribute("class") ?? ""}> "${text}"`;
  };
  const styles = new Map();
  const styleOf = (one) => {
    if (!styles.has(one)) styles.set(one, getComputedStyle(one));
    return styles.get(one);
  };
  const isFlow = (one) => one !== null && one !== document.body && one !== root;

  // Hidden from sight, and there for those who hear it
  const isToldOnly = (one) => {
    for (let at = one; isFlow(at); at = at.parentElement) {
      const { clipPath, opacity } = styleOf(at);
      if (clipPath !== "none" || opacity === "0") return true;
      if (at.matches(".skip:not(:focus)")) return true; // above the page until Tab comes to it
    }
    return false;
  };

  // What is left of a box in all that clips it; what cuts it off for good is told
  const seen = (one, { left, top, right, bottom }) => {
    let cut = "";
    for (let at = one; isFlow(at); at = at.parentElement) {
      const { overflowX, overflowY, textOverflow, position } = styleOf(at);
      if (overflowX !== "visible") {
        const box = at.getBoundingClientRect();
        const isCut = left < box.left - 2 || right > box.right + 2;
        if (isCut && overflowX === "hidden" && textOverflow !== "ellipsis") cut = name(at);
        if (textOverflow === "ellipsis") cut = "";
        [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
        if (overflowY !== "visible") {
          [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
        }
      }
      if (position === "fixed") break;
    }
    return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom, cut } : null;
  };

  const pieces = [];
  const add = (one, box, text) => {
    const part = seen(one, box);
    if (part === null) return;
    if (part.cut) faults.push(`${text || name(one)} is cut off by ${part.cut}`);
    pieces.push({ one, text, ...part });
  };
  // What is not shown is passed over with all that is in it: most options of a run
  const shown = [];
  const isShown = (node) =>
    node.nodeType === Node.TEXT_NODE || node.checkVisibility() ||
    styleOf(node).display === "contents";
  const accept = (node) => (isShown(node) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT);
  const what = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
  const walker = document.createTreeWalker(document.body, what, accept);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const isText = node.nodeType === Node.TEXT_NODE;
    const one = isText ? node.parentElement : node;
    if (!(one instanceof HTMLElement) || styleOf(one).visibility === "hidden") continue;
    if (isText) {
      const words = node.textContent.trim();
      if (words === "" || one.matches("details:not([open])")) continue;
      if (one.closest("select, script, style") || isToldOnly(one)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) add(one, box, `"${words.slice(0, 40)}"`);
    } else if (!isToldOnly(one)) {
      shown.push(one);
      if (one.matches("button, input, select, textarea, canvas")) {
        add(one, one.getBoundingClientRect(), "");
      }
    }
  }

  for (const [at, one] of pieces.entries()) {
    if (one.left < -1 || one.right > root.clientWidth + 1) {
      faults.push(`${one.text || name(one.one)} sticks out of the page`);
    }
    for (const other of pieces.slice(at + 1)) {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      // Lines of one text may touch: letters reach a little out of their line
      if (across < 2 || down < 3) continue;
      if (one.one.contains(other.one) || other.one.contains(one.one)) continue;
      faults.push(`${one.text || name(one.one)} overlaps ${other.text || name(other.one)}`);
    }
  }

  const rem = Number.parseFloat(getComputedStyle(root).fontSize);
  const scrollers = shown.filter((one) => {
    const { overflowX, overflowY } = styleOf(one);
    return [overflowX, overflowY].some((flow) => flow === "auto" || flow === "scroll");
  });
  if (root.scrollWidth > root.clientWidth) {
    faults.push(`the page scrolls sideways by ${root.scrollWidth - root.clientWidth}`);
  }
  for (const one of [root, ...scrollers]) {
    if (one.scrollHeight <= one.clientHeight + 1) continue;
    const top = one === root ? -root.scrollTop : one.getBoundingClientRect().top - one.scrollTop;
    const ends = shown.filter((inner) => inner !== one && one.contains(inner)).map((inner) => {
      // Within something that scrolls by itself, what is seen of it counts
      let end = inner.getBoundingClientRect().bottom;
      for (let at = inner.parentElement; at !== null && at !== one; at = at.parentElement) {
        if (isFlow(at) && styleOf(at).overflowY !== "visible") {
          end = Math.min(end, at.getBoundingClientRect().bottom);
        }
      }
      return end;
    });
    const empty = one.scrollHeight - (Math.max(...ends) - top);
    // A padding, which grows with the text, is not nothing
    if (empty > 1.5 * rem) faults.push(`${name(one)} scrolls by ${Math.round(empty)} of nothing`);
  }
  return [...new Set(faults)];
}
"""


def faults(page: Driven) -> list[str]:
    """What overlaps, is cut off, sticks out, scrolls sideways or into nothing, a line each.

    It is measured at the top of the page, since what stays there covers what is scrolled below it.
    """
    before = page.evaluate("() => { const y = scrollY; scrollTo(0, 0); return y; }")
    page.evaluate(SETTLED)
    found = page.evaluate(FAULTS)
    page.evaluate("(y) => scrollTo(0, y)", before)
    return found
