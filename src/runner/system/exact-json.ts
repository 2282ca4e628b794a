// JSON with its numbers as they are written: ours would round an integer of more than 15 digits
// and take 1.0 for 1.

interface Exact {
  parse: (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  /** A value that JSON.stringify prints as this text. */
  rawJSON: (text: string) => unknown;
  isRawJSON: (value: unknown) => value is { rawJSON: string };
}

// Newer than the types of the language.
const exact = JSON as unknown as Exact;

// With an exponent it means the same to JSON and something else to YAML.
const decimal = /^-?\d+(?:\.\d+)?$/;

/** Parses JSON; JSON.stringify prints its numbers as they were. */
export function readExactly(text: string): unknown {
  return exact.parse(text, (_key, part, { source = '' }) => {
    const isChanged = typeof part === 'number' && decimal.test(source) && String(part) !== source;
    return isChanged ? exact.rawJSON(source) : part;
  });
}

/** The same for the text of a JSON object. */
export function parseExactly(text: string): Record<string, unknown> {
  return readExactly(text) as Record<string, unknown>;
}

/** A number of such JSON as text, whole ones in all their digits; null: it is no number. */
export function numberText(value: unknown): string | null {
  if (exact.isRawJSON(value)) return value.rawJSON.replace(/\.0+$/, '');
  if (typeof value !== 'number') return null;
  return Number.isInteger(value) ? String(BigInt(value)) : String(value);
}
