// Finds controls whose text has too little contrast to its background: links, buttons, entries of
// menus and lists, labels, and what inputs hold or offer. Axe takes text of
// exactly the background colour for hidden text, and reports nothing. What is half transparent
// counts as it looks.

import type { Page } from 'playwright-core';

/** The lowest contrast of text that WCAG allows at level AA. */
const leastContrast = 4.5;

/** Colours are measured as they stay, not while they change. */
async function endTransitions(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)));
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

/** Each control below the least contrast, with its text and its contrast. */
export async function findPaleControls(page: Page): Promise<string[]> {
  await page.evaluate(endTransitions);
  return page.evaluate((least) => {
    type Colour = [red: number, green: number, blue: number, alpha: number];
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 1;
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    if (!pen) throw new Error('The browser has no canvas.');

    const read = (text: string): Colour => {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = text;
      pen.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = pen.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const over = (top: Colour, below: Colour): Colour => {
      const alpha = top[3] + below[3] * (1 - top[3]);
      if (alpha === 0) return [0, 0, 0, 0];
      const mix = (at: 0 | 1 | 2): number =>
        (top[at] * top[3] + below[at] * below[3] * (1 - top[3])) / alpha;
      return [mix(0), mix(1), mix(2), alpha];
    };
    /** A colour on top of an element, as people see it through all opacities, on a white page. */
    const seen = (colour: Colour, element: Element | null): Colour => {
      if (!element) return over(colour, [255, 255, 255, 1]);
      const { backgroundColor, opacity } = getComputedStyle(element);
      const [red, green, blue, alpha] = over(colour, read(backgroundColor));
      return seen([red, green, blue, alpha * Number(opacity)], element.parentElement);
    };
    const light = (colour: Colour): number => {
      const linear = (at: 0 | 1 | 2): number => {
        const value = colour[at] / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      };
      return 0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2);
    };
    const contrastOf = (element: Element, part: string | null = null): number => {
      const { color, opacity } = getComputedStyle(element, part);
      const [red, green, blue, alpha] = read(color);
      const own: Colour = [red, green, blue, part ? alpha * Number(opacity) : alpha];
      const lights = [light(seen(own, element)), light(seen([0, 0, 0, 0], element))];
      const [dark = 0, bright = 0] = lights.toSorted((a, b) => a - b);
      return (bright + 0.05) / (dark + 0.05);
    };
    const isOff = (element: Element): boolean =>
      element.closest(':disabled, [aria-disabled="true"], [data-disabled]') !== null;
    const hasWords = (element: Element): boolean =>
      [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      );
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

    type Field = HTMLInputElement & HTMLTextAreaElement;
    const fields =
      'textarea, input:not([type="checkbox"], [type="radio"], [type="file"], [type="hidden"])';
    const roles = 'button tab menuitem menuitemradio option switch columnheader combobox'
      .split(' ')
      .map((role) => `[role="${role}"]`);
    const controls = ['a', 'button', 'summary', 'label', 'select', 'th', ...roles].join();

    const textOf = ({ value, placeholder }: Field): string => (value || placeholder || '').trim();

    const found: string[] = [];
    const report = (text: string, contrast: number): void => {
      if (contrast < least) found.push(`"${text.trim()}" has a contrast of ${contrast.toFixed(1)}`);
    };
    const inputs = [...document.querySelectorAll<Field>(fields)];
    for (const input of inputs.filter((one) => !isOff(one) && isShown(one) && textOf(one) !== '')) {
      report(textOf(input), contrastOf(input, input.value === '' ? '::placeholder' : null));
    }
    for (const control of document.querySelectorAll(controls)) {
      if (isOff(control)) continue;
      for (const element of [control, ...control.querySelectorAll('*')]) {
        if (element.closest('svg') || !hasWords(element) || !isShown(element)) continue;
        report(element.textContent ?? '', contrastOf(element));
      }
    }
    return found;
  }, leastContrast);
}
