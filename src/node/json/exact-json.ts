// Parses JSON and keeps its numbers as they are written. JavaScript's numbers would round an integer
// of more than 15 digits and print 1.0 as 1.

interface Exact {
  parse: (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  /** A value that JSON.stringify prints as this text. */
  rawJSON: (text: string) => unknown;
  isRawJSON: (value: unknown) => value is { rawJSON: string };
}

// TypeScript's types do not know these functions yet.
const exact = JSON as unknown as Exact;

// Only numbers without an exponent are kept: YAML may read one with an exponent as a text.
const decimal = /^-?\d+(?:\.\d+)?$/;

// Every number that JavaScript would print in another way has 16 digits, a fraction, or is -0. A text
// without the like, in strings too, is parsed ten times as fast.
const maybeInexact = /\d{16}|\d\.\d|-0/;

/** Parses JSON so that JSON.stringify prints its numbers as they were written. */
export function readExactly(text: string): unknown {
  if (!maybeInexact.test(text)) return JSON.parse(text);
  return exact.parse(text, (_key, part, { source = '' }) => {
    const isChanged = typeof part === 'number' && decimal.test(source) && String(part) !== source;
    return isChanged ? exact.rawJSON(source) : part;
  });
}

/** Parses the text of a JSON object in the same way. */
export function parseExactly(text: string): Record<string, unknown> {
  return readExactly(text) as Record<string, unknown>;
}

/** A number of such JSON as text, integers with all their digits; null: the value is no number. */
export function numberText(value: unknown): string | null {
  if (exact.isRawJSON(value)) return value.rawJSON.replace(/\.0+$/, '');
  if (typeof value !== 'number') return null;
  return Number.isInteger(value) ? String(BigInt(value)) : String(value);
}
