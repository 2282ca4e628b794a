// Finds labels of controls that are cut at the top or bottom, in the letters of any language.

import type { Page } from 'playwright-core';

/** Letters with accents and descenders of Latin and Cyrillic, and a Chinese one, in one line. */
const tallest = 'ÁÑgjЙЩу国';

/**
 * Measures each label as it is, and again with the tallest letters of all languages in its place.
 * Both happen within one task of the page, so that nothing else sees the change.
 */
export function findCutLabels(page: Page): Promise<string[]> {
  return page.evaluate((sample) => {
    const controls =
      'button, a, summary, label, [role=button], [role=tab], [role=menuitem], [role=option], [role=switch], [role=radio], [role=combobox]';
    const leaves = [...document.querySelectorAll(controls)]
      .flatMap((control) => [control, ...control.querySelectorAll('*')])
      .filter(({ childNodes }) => childNodes.length === 1 && childNodes[0] instanceof Text)
      // What is read aloud only is one pixel high.
      .filter((leaf) => leaf.checkVisibility() && leaf.clientHeight > 1);
    const isTooTall = (box: Element): boolean =>
      getComputedStyle(box).overflowY !== 'visible' && box.scrollHeight > box.clientHeight;
    const isCut = (leaf: Element): boolean => {
      const control = leaf.closest(controls);
      for (let box: Element | null = leaf; box; box = box.parentElement) {
        if (isTooTall(box)) return true;
        if (box === control) break;
      }
      return false;
    };
    const isCutWith = (leaf: Element, text: string): boolean => {
      const words = leaf.textContent;
      const [node] = leaf.childNodes;
      if (node) node.nodeValue = text;
      const found = isCut(leaf);
      if (node) node.nodeValue = words;
      return found;
    };
    return [...new Set(leaves)]
      .filter((leaf) => isCut(leaf) || isCutWith(leaf, sample))
      .map((leaf) => `"${leaf.textContent}" is cut in ${leaf.className}`);
  }, tallest);
}
