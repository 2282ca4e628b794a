// The versions of builds. Pure.

// Anything, the last run of digits, anything without digits.
const numbered = /^(.*?)(\d+)(\D*)$/s;

/**
 * The version after `current`, in the shape of `start`: its last number grows by one. Begins
 * anew with `start` when `current` has another shape or is behind it.
 */
export function nextVersion(start: string, current: string | null): string {
  const shape = numbered.exec(start);
  if (!shape || current === null) return start;
  const [, , first = '', suffix = ''] = shape;
  const prefix = start.slice(0, start.length - suffix.length - first.length);
  if (!current.startsWith(prefix) || !current.endsWith(suffix)) return start;
  const middle = current.slice(prefix.length, current.length - suffix.length);
  if (!/^\d+$/.test(middle)) return start;
  const next = BigInt(middle) + 1n;
  return `${prefix}${BigInt(first) >= next ? first : next}${suffix}`;
}
