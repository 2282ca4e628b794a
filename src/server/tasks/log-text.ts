// The log of a task as a text file.

import type { LogLine } from '#shared/api/tasks.ts';
import { controlSequence } from '#shared/terminal.ts';

export const withoutColours = (text: string): string => text.replace(controlSequence, '');

/** Pieces of the file, some hundred lines each. */
export async function* logText(
  lines: AsyncIterable<LogLine>,
  { time, color }: { time: boolean; color: boolean },
): AsyncGenerator<string> {
  let piece = '';
  for await (const line of lines) {
    const output = color ? line.output : withoutColours(line.output);
    piece += time ? `${line.time} ${output}\n` : `${output}\n`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

// Characters.
const pieceLength = 64 * 1024;
