// JSON.parse with limits, and with the position of syntax errors.

import { exceeds } from '#shared/json-depth.ts';
import { fail } from '../lib/errors.ts';

/** In levels of brackets; the console sends fewer than ten. */
const MAX_DEPTH = 100;

/** Unless the endpoint allows more; the console sends some thousands. */
export const DEFAULT_MAX_VALUES = 50_000;

/** Of one object; the console sends some dozens. */
const MAX_FIELDS = 20_000;

export function readJson(text: string, maxValues = DEFAULT_MAX_VALUES): unknown {
  const exceeded = exceeds({ depth: MAX_DEPTH, values: maxValues, fields: MAX_FIELDS }, text);
  if (exceeded === 'depth') throw fail('request.too_deep', { limit: MAX_DEPTH });
  if (exceeded === 'values') throw fail('request.too_many_values', { limit: maxValues });
  if (exceeded === 'fields') throw fail('request.too_many_values', { limit: MAX_FIELDS });
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { message } = cause as Error;
    // V8 reports the position of some errors only. Searching is slow in large texts.
    if (message.includes(' at position ') || text.length > 65_536) throw cause;
    throw new SyntaxError(`${message} at position ${wrongPosition(text)}`, { cause });
  }
}

const piece =
  /[ \t\r\n]*([{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|true\b|false\b|null\b)/sy;
const beforeValue = new Set(['', ':', ',', '[']);

/** The position of the first invalid or misplaced token. */
function wrongPosition(text: string): number {
  let before = '';
  let end = 0;
  for (;;) {
    piece.lastIndex = end;
    const mark = piece.exec(text)?.[1];
    const isMissing = mark === undefined;
    const isMisplaced =
      beforeValue.has(before) && /^[:,}\]]/.test(mark ?? '') && before + mark !== '[]';
    if (isMissing || isMisplaced)
      return end + (/^[ \t\r\n]*/.exec(text.slice(end))?.[0].length ?? 0);
    before = mark;
    end = piece.lastIndex;
  }
}
