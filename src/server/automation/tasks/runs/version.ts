// Increments the versions of builds. All functions are pure.

const isDigit = (character: string): boolean => character >= '0' && character <= '9';

/** The last number of a text, and the texts before and behind it. */
function aroundNumber(text: string): { prefix: string; first: string; suffix: string } | null {
  let end = text.length;
  while (end > 0 && !isDigit(text.charAt(end - 1))) end -= 1;
  let begin = end;
  while (begin > 0 && isDigit(text.charAt(begin - 1))) begin -= 1;
  if (begin === end) return null;
  return { prefix: text.slice(0, begin), first: text.slice(begin, end), suffix: text.slice(end) };
}

/**
 * The version after `current`, in the form of `start`: the last number is one higher. Returns `start`
 * when `current` has another form or is lower.
 */
export function nextVersion(start: string, current: string | null): string {
  const shape = aroundNumber(start);
  if (!shape || current === null) return start;
  const { prefix, first, suffix } = shape;
  if (!current.startsWith(prefix) || !current.endsWith(suffix)) return start;
  const middle = current.slice(prefix.length, current.length - suffix.length);
  if (!/^\d+$/.test(middle)) return start;
  const next = BigInt(middle) + 1n;
  return `${prefix}${BigInt(first) >= next ? first : next}${suffix}`;
}
