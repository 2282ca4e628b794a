// Marks the matches of a search in styled text. Pure functions.

import type { AnsiSegment } from './ansi.ts';

export interface MarkedSegment extends AnsiSegment {
  isHit?: true;
}

/** `pattern` is global; a match may extend over several segments. */
export function markHits(segments: AnsiSegment[], pattern: RegExp | null): MarkedSegment[] {
  if (!pattern) return segments;
  const text = segments.map((segment) => segment.text).join('');
  const edges = [...text.matchAll(pattern)].flatMap(({ index, 0: { length } }) => [
    index,
    index + length,
  ]);
  if (edges.length === 0) return segments;
  const marked: MarkedSegment[] = [];
  let start = 0;
  let edge = 0;
  for (const segment of segments) {
    const end = start + segment.text.length;
    let from = start;
    // A match lies between each even edge and the edge after it.
    for (; (edges[edge] ?? Infinity) < end; edge += 1) {
      marked.push(...part(segment, from - start, (edges[edge] ?? 0) - start, edge));
      from = edges[edge] ?? 0;
    }
    marked.push(...part(segment, from - start, end - start, edge));
    start = end;
  }
  return marked;
}

function part(segment: AnsiSegment, from: number, to: number, edge: number): MarkedSegment[] {
  if (from === to) return [];
  const text = segment.text.slice(from, to);
  return [{ ...segment, text, ...(edge % 2 === 1 && { isHit: true }) }];
}
