// JSON.parse, with the place in the message when the text is not JSON.

import { isDeeperThan } from '#shared/json-depth.ts';
import { fail } from '../errors.ts';

/** Levels of brackets; what the console sends has less than ten. */
const deepestBody = 100;

/** Answers the value; throws an error whose message says at which position the text is wrong. */
export function readJson(text: string): unknown {
  if (isDeeperThan(deepestBody, text)) throw fail('request.too_deep', { limit: deepestBody });
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { message } = cause as Error;
    // V8 names the position for some errors only. Looking for it takes time for a large text.
    if (message.includes(' at position ') || text.length > 65_536) throw cause;
    throw new SyntaxError(`${message} at position ${wrongPosition(text)}`, { cause });
  }
}

const piece =
  /[ \t\r\n]*([{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|true\b|false\b|null\b)/sy;
const beforeValue = new Set(['', ':', ',', '[']);

/** The place of the first piece that is no piece of JSON, or that stands where a value must. */
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
