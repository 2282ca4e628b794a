// Sends keys and clicks to a page of WebKitGTK through its X server, since those that Playwright
// sends by the inspector are untrusted events: they move no focus and no caret, and follow no link.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { until } from '../until.ts';
import { internalsOf } from './playwright-internals.ts';

interface KeyDescription {
  key: string;
}

type SendKey = (
  progress: unknown,
  held: Set<string>,
  name: string,
  key: KeyDescription,
) => Promise<void>;

interface RawInput {
  delegate: {
    rawKeyboard: { keydown: SendKey; keyup: SendKey };
    rawMouse: {
      move: (progress: unknown, x: number, y: number) => Promise<void>;
      down: (progress: unknown, x: number, y: number, button: string) => Promise<void>;
      up: (progress: unknown, x: number, y: number, button: string) => Promise<void>;
      wheel: (
        ...input: [unknown, number, number, unknown, unknown, deltaX: number, deltaY: number]
      ) => Promise<void>;
    };
    updateEmulatedViewportSize: () => Promise<void>;
  };
  emulatedSize: () => { viewport: { width: number; height: number } } | undefined;
}

const run = promisify(execFile);

/** The names of X for keys that the web calls otherwise. */
const keysyms: Record<string, string> = {
  ' ': 'space',
  Alt: 'Alt_L',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  Backspace: 'BackSpace',
  Control: 'Control_L',
  Enter: 'Return',
  Meta: 'Super_L',
  PageDown: 'Next',
  PageUp: 'Prior',
  Shift: 'Shift_L',
};

/** With Control held, a capital letter is the key and not a capital: Playwright writes `Control+A`. */
function keysymOf(key: string, held: Set<string>): string {
  if (held.has('Control') && /^[A-Z]$/.test(key)) return key.toLowerCase();
  const code = key.length === 1 ? key.codePointAt(0) : undefined;
  const isCharacter = code !== undefined && !/[a-z0-9]/i.test(key);
  return keysyms[key] ?? (isCharacter ? `U${code.toString(16).padStart(4, '0')}` : key);
}

const buttons: Record<string, string> = { left: '1', middle: '2', right: '3' };

/** A turn of the wheel by one notch scrolls about that far. */
const PIXELS_PER_NOTCH = 50;

/** Some keys are used by the browser and never reach the page. */
const LONGEST_WAIT_FOR_EVENT_MS = 300;

type Waiting = typeof globalThis & { nextInput?: Promise<void> };

/** Sends input and waits until the page has handled it. */
async function untilHandled(page: Page, type: string, send: () => Promise<unknown>): Promise<void> {
  await page.evaluate(
    ([name, longest]) => {
      (globalThis as Waiting).nextInput = new Promise((resolve) => {
        const handled = () => setTimeout(resolve);
        window.addEventListener(name, handled, { once: true, capture: true });
        setTimeout(resolve, longest);
      });
    },
    [type, LONGEST_WAIT_FOR_EVENT_MS] as const,
  );
  await send();
  // The input may have led to another document.
  await page.evaluate(() => (globalThis as Waiting).nextInput).catch(() => undefined);
}

const PROBE_PIXELS = 300;

type Probed = typeof globalThis & { probedAt?: number };

/** The height of what is above the page. A window that was just opened reports sizes too early. */
async function measureToolbar(page: Page, send: (...command: string[]) => Promise<string>) {
  await page.evaluate(() => {
    const note = ({ clientY }: MouseEvent) => ((globalThis as Probed).probedAt = clientY);
    window.addEventListener('mousemove', note);
  });
  let column = PROBE_PIXELS;
  const found = await until(async () => {
    // Only a move is an event.
    await send('mousemove', String((column += 1)), String(PROBE_PIXELS));
    return page.evaluate(() => (globalThis as Probed).probedAt ?? null);
  });
  return PROBE_PIXELS - found;
}

/** Lets the keyboard and the mouse of a page be those of an X display. */
export async function useNativeInput(page: Page, display: string): Promise<void> {
  const env = { ...process.env, DISPLAY: display };
  const send = async (...command: string[]): Promise<string> =>
    (await run('xdotool', command, { env })).stdout.trim();
  const window = await send('search', '--onlyvisible', '--class', 'MiniBrowser');
  await send('windowfocus', window);
  let handled: Promise<void> = Promise.resolve();
  // One after the other: Playwright presses and releases a button at the same time.
  const sendAndWait = (type: string, ...command: string[]): Promise<void> => {
    handled = handled
      .catch(() => undefined)
      .then(() => untilHandled(page, type, () => send(...command)));
    return handled;
  };
  const toolbar = await measureToolbar(page, send);
  const internals = internalsOf(page) as RawInput;
  const { delegate } = internals;
  Object.assign(delegate.rawKeyboard, {
    keydown: (_progress, held, _name, { key }) =>
      sendAndWait('keydown', 'keydown', keysymOf(key, held)),
    keyup: (_progress, held, _name, { key }) => sendAndWait('keyup', 'keyup', keysymOf(key, held)),
  } satisfies RawInput['delegate']['rawKeyboard']);
  const moveTo = (x: number, y: number) =>
    send('mousemove', String(Math.round(x)), String(Math.round(y + toolbar)));
  Object.assign(delegate.rawMouse, {
    move: async (_progress, x, y) => void (await moveTo(x, y)),
    down: (_progress, _x, _y, button) =>
      sendAndWait('mousedown', 'mousedown', buttons[button] ?? '1'),
    up: (_progress, _x, _y, button) => sendAndWait('mouseup', 'mouseup', buttons[button] ?? '1'),
    async wheel(...[, x, y, , , , deltaY]) {
      await moveTo(x, y);
      const notches = Math.ceil(Math.abs(deltaY) / PIXELS_PER_NOTCH);
      await send('click', '--repeat', String(notches), deltaY > 0 ? '5' : '4');
    },
  } satisfies RawInput['delegate']['rawMouse']);
  const resize = async (width: number, height: number): Promise<void> => {
    const sizeOf = (more: number) => [String(width + more), String(height + toolbar)];
    await until(async () => {
      // GTK misses some changes, so each round makes one.
      for (const more of [1, 0]) await send('windowsize', window, ...sizeOf(more));
      return page
        .waitForFunction(
          ([wide, high]) => innerWidth === wide && innerHeight === high,
          [width, height] as const,
          { timeout: 2000 },
        )
        .then(
          () => true,
          () => false,
        );
    });
  };
  delegate.updateEmulatedViewportSize = async () => {
    const size = internals.emulatedSize()?.viewport;
    if (size) await resize(size.width, size.height);
  };
}
