// Parses unified diffs, and pairs removed with added lines for the side-by-side view. Pure
// functions.

type DiffKind = 'hunk' | 'same' | 'removed' | 'added' | 'note';

export interface DiffLine {
  kind: DiffKind;
  text: string;
  /** The line numbers in the old and the new file; null where it has none. */
  before: number | null;
  after: number | null;
}

const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

export function parseDiff(text: string): DiffLine[] {
  const lines = text.replace(/\n$/, '').split('\n');
  // Without a hunk header, the line numbers are unknown.
  let before: number | null = null;
  let after: number | null = null;
  return lines.map((line): DiffLine => {
    const [, first, second] = hunk.exec(line) ?? [];
    if (first !== undefined && second !== undefined) {
      [before, after] = [Number(first), Number(second)];
      return { kind: 'hunk', text: line, before: null, after: null };
    }
    const parsed = lineOf(line, before, after);
    if (parsed.before !== null) before = parsed.before + 1;
    if (parsed.after !== null) after = parsed.after + 1;
    return parsed;
  });
}

function lineOf(line: string, before: number | null, after: number | null): DiffLine {
  const text = line.slice(1);
  if (line.startsWith('-')) return { kind: 'removed', text, before, after: null };
  if (line.startsWith('+')) return { kind: 'added', text, before: null, after };
  if (line.startsWith('\\')) return { kind: 'note', text: line, before: null, after: null };
  if (line.startsWith(' ') || line === '') return { kind: 'same', text, before, after };
  return { kind: 'note', text: line, before: null, after: null };
}

/**
 * A row of the side-by-side view. Lines that belong to neither side, such as hunk headers, are on
 * the left.
 */
export interface DiffPair {
  left: DiffLine | null;
  right: DiffLine | null;
}

/** Pairs each block of removed lines with the added lines that follow it. */
export function pairLines(lines: readonly DiffLine[]): DiffPair[] {
  const pairs: DiffPair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      pairs.push({ left: removed[index] ?? null, right: added[index] ?? null });
    }
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === 'added') added.push(line);
    else {
      flush();
      pairs.push({ left: line, right: line.kind === 'same' ? line : null });
    }
  }
  flush();
  return pairs;
}
