// JSON with its numbers as they are written: ours would round an integer of more than 15 digits
// and take 1.0 for 1.

interface Exact {
  parse: (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  /** A value that JSON.stringify prints as this text. */
  rawJSON: (text: string) => unknown;
}

// Newer than the types of the language.
const exact = JSON as unknown as Exact;

// With an exponent it means the same to JSON and something else to YAML.
const decimal = /^-?\d+(?:\.\d+)?$/;

/** Parses the text of a JSON object; JSON.stringify prints its numbers as they were. */
export function parseExactly(text: string): Record<string, unknown> {
  const value = exact.parse(text, (_key, part, { source = '' }) => {
    const isChanged = typeof part === 'number' && decimal.test(source) && String(part) !== source;
    return isChanged ? exact.rawJSON(source) : part;
  });
  return value as Record<string, unknown>;
}
