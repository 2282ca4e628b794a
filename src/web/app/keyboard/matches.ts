/**
 * Whether each word of a query is found in one of the texts, or the whole query, without spaces, is
 * the initials of the first text: `rp` finds "Redis Production". Case-insensitive.
 */
export function matches(texts: (string | undefined)[], query: string): boolean {
  const all = texts.filter((text) => text !== undefined).map((text) => text.toLowerCase());
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.every((word) => all.some((text) => text.includes(word)))) return true;
  const [first = '', ...others] = words;
  return others.length === 0 && first.length > 1 && initialsOf(all[0] ?? '').startsWith(first);
}

const initialsOf = (text: string): string =>
  text
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => Array.from(word)[0] ?? '')
    .join('');
