// Links and buttons whose words are too close in colour to what is behind them. axe takes words of
// exactly the colour behind them for hidden ones and says nothing.

import type { Page } from 'playwright-core';

/** The lowest contrast of text that WCAG allows at level AA. */
const leastContrast = 4.5;

/** Each control below the least contrast, with its words and its contrast. */
export function findPaleControls(page: Page): Promise<string[]> {
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
      const mix = (at: 0 | 1 | 2): number => top[at] * top[3] + below[at] * (1 - top[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    const behind = (element: Element | null): Colour => {
      if (!element) return [255, 255, 255, 1];
      const own = read(getComputedStyle(element).backgroundColor);
      return own[3] === 1 ? own : over(own, behind(element.parentElement));
    };
    const light = (colour: Colour): number => {
      const linear = (at: 0 | 1 | 2): number => {
        const value = colour[at] / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      };
      return 0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2);
    };
    const contrastOf = (element: Element): number => {
      const below = behind(element);
      const words = light(over(read(getComputedStyle(element).color), below));
      const [dark = 0, bright = 0] = [words, light(below)].toSorted((a, b) => a - b);
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

    const found: string[] = [];
    for (const control of document.querySelectorAll('a, button, [role="button"], [role="tab"]')) {
      if (isOff(control)) continue;
      for (const element of [control, ...control.querySelectorAll('*')]) {
        if (element.closest('svg') || !hasWords(element) || !isShown(element)) continue;
        const contrast = contrastOf(element);
        if (contrast >= least) continue;
        found.push(`"${element.textContent?.trim()}" has a contrast of ${contrast.toFixed(1)}`);
      }
    }
    return found;
  }, leastContrast);
}
