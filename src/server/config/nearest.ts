/** The name with the smallest edit distance; null if none is similar. */
export function nearest(name: string, names: Iterable<string>): string | null {
  let found: string | null = null;
  let fewest = Math.min(MAX_CHANGES, Math.ceil(name.length / 3)) + 1;
  for (const other of names) {
    const changes = countChanges(name, other);
    if (changes < fewest) [found, fewest] = [other, changes];
  }
  return found;
}

const MAX_CHANGES = 4;

/** Levenshtein distance. */
function countChanges(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let line = 0; line < from.length; line += 1) {
    const next = [line + 1];
    for (let index = 0; index < to.length; index += 1) {
      const replaced = (row[index] ?? 0) + (from[line] === to[index] ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
