// Parses JSON without changing its numbers. JavaScript would round integers of more than 15 digits, and print 1.0 as 1.

interface Exact {
  parse: (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  /** A value that JSON.stringify prints as this text. */
  rawJSON: (text: string) => unknown;
  isRawJSON: (value: unknown) => value is { rawJSON: string };
}

// Missing in TypeScript's types.
const exact = JSON as unknown as Exact;

// Numbers with an exponent are converted, because YAML may parse them as texts.
const decimal = /^-?\d+(?:\.\d+)?$/;

// All numbers that JavaScript would print differently have 16 digits, a fraction, or are -0. Other texts are parsed ten
// times as fast.
const maybeInexact = /\d{16}|\d\.\d|-0/;

/** Parses JSON so that JSON.stringify prints its numbers unchanged. */
export function readExactly(text: string): unknown {
  if (!maybeInexact.test(text)) return JSON.parse(text);
  return exact.parse(text, (_key, part, { source = '' }) => {
    const isChanged = typeof part === 'number' && decimal.test(source) && String(part) !== source;
    return isChanged ? exact.rawJSON(source) : part;
  });
}

/** The same for a JSON object. */
export function parseExactly(text: string): Record<string, unknown> {
  return readExactly(text) as Record<string, unknown>;
}

/** A number of such JSON as text, integers with all digits; null: the value is no number. */
export function numberText(value: unknown): string | null {
  if (exact.isRawJSON(value)) return value.rawJSON.replace(/\.0+$/, '');
  if (typeof value !== 'number') return null;
  return Number.isInteger(value) ? String(BigInt(value)) : String(value);
}
