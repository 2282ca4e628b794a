import { controlSequence } from '#shared/terminal.ts';
import type { StoredChunk } from './task-log.store.ts';

export const withoutColours = (text: string): string => text.replace(controlSequence, '');

/** Yields the text of the file, one chunk of the log at a time. */
export async function* logText(
  chunks: AsyncIterable<StoredChunk>,
  { time, color, limit }: { time: boolean; color: boolean; limit: number },
): AsyncGenerator<string> {
  let left = limit;
  for await (const chunk of chunks) {
    let piece = '';
    for (const line of chunk.lines().slice(0, left)) {
      const output = color ? line.output : withoutColours(line.output);
      piece += time ? `${line.time} ${output}\n` : `${output}\n`;
    }
    yield piece;
    left -= chunk.count;
    if (left <= 0) return;
  }
}
