// The log of a task as a text file.

import type { LogLine } from '#shared/api/tasks.ts';

// Colours and other control sequences of terminals, and what sets the title of a window.
const sequences =
  // oxlint-disable-next-line no-control-regex -- they are control characters
  /\u001b(?:\[[0-9:;<=>?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

export const withoutColours = (text: string): string => text.replace(sequences, '');

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
