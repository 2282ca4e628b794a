// JSON.parse, with the place in the message when the text is not JSON.

import { exceeds } from '#shared/json-depth.ts';
import { fail } from '../lib/errors.ts';

/** The deepest JSON that is read, in levels of brackets; the console sends fewer than ten. */
const deepestBody = 100;

/** The most values of a body, unless its endpoint takes more; the console sends some thousands. */
export const usualValues = 50_000;

/** The most fields of one object; the console sends some dozens. */
const MAX_FIELDS = 20_000;

/** Returns the value; throws an error whose message says at which position the text is wrong. */
export function readJson(text: string, mostValues = usualValues): unknown {
  const exceeded = exceeds({ depth: deepestBody, values: mostValues, fields: MAX_FIELDS }, text);
  if (exceeded === 'depth') throw fail('request.too_deep', { limit: deepestBody });
  if (exceeded === 'values') throw fail('request.too_many_values', { limit: mostValues });
  if (exceeded === 'fields') throw fail('request.too_many_values', { limit: MAX_FIELDS });
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { message } = cause as Error;
    // V8 reports the position of some errors only. Searching for it takes time in a large text.
    if (message.includes(' at position ') || text.length > 65_536) throw cause;
    throw new SyntaxError(`${message} at position ${wrongPosition(text)}`, { cause });
  }
}

const piece =
  /[ \t\r\n]*([{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|true\b|false\b|null\b)/sy;
const beforeValue = new Set(['', ':', ',', '[']);

/** The position of the first token that is not JSON, or that stands where a value is expected. */
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
