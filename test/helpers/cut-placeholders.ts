// Finds inputs that are too narrow for their placeholder, whose end nobody can read.

import type { Page } from 'playwright-core';

export function findCutPlaceholders(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d');
    if (!pen) throw new Error('The browser has no canvas.');
    const isCut = (input: HTMLInputElement): boolean => {
      const style = getComputedStyle(input);
      pen.font = style.font;
      const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
      return pen.measureText(input.placeholder).width > input.clientWidth - padding + 1;
    };
    return [...document.querySelectorAll<HTMLInputElement>('input[placeholder]')]
      .filter((input) => input.value === '' && input.checkVisibility() && isCut(input))
      .map(({ placeholder }) => `"${placeholder}" is cut`);
  });
}
