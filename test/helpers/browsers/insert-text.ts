// Playwright inserts a text in Firefox and WebKitGTK by setting `value`, which React does not take
// for an input of somebody. The command of the editor is one.

import type { Page } from 'playwright-core';
import { internalsOf } from './playwright-internals.ts';

interface Keyboard {
  delegate: { rawKeyboard: { sendText: (progress: unknown, text: string) => Promise<void> } };
}

/** Lets `fill` and `insertText` of a page insert texts as its editor does. */
export function insertTextByCommand(page: Page): void {
  const { delegate } = internalsOf(page) as Keyboard;
  delegate.rawKeyboard.sendText = (_progress, text) =>
    page.evaluate((inserted) => void document.execCommand('insertText', false, inserted), text);
}
