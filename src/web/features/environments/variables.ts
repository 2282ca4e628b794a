// Converts the text of a JSON object into rows of names and values and back, without loss:
// unchanged parts keep their characters.

export interface Variable {
  name: string;
  /** The text of the value in JSON. */
  raw: string;
}

/** Extra variables have types; variables of a process are texts. */
export type VariableKind = 'json' | 'env';

/** Null if the text is not a JSON object. */
export function variablesOf(text: string): Variable[] | null {
  if (text.trim() === '') return [];
  return isObject(text) ? scan(text) : null;
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const steps: Record<string, number> = { '{': 1, '[': 1, '}': -1, ']': -1 };

function scan(text: string): Variable[] {
  const variables: Variable[] = [];
  let depth = 0;
  let name: string | null = null;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const isEnd = token === ',' || token === '}';
    if (depth === 1 && name === null && token.startsWith('"')) name = String(JSON.parse(token));
    else if (depth === 1 && token === ':') start = index + 1;
    else if (depth === 1 && isEnd && name !== null) {
      variables.push({ name, raw: text.slice(start, index).trim() });
      name = null;
    }
    depth += steps[token] ?? 0;
  }
  return variables;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

export function textOf(variables: Variable[]): string {
  if (variables.length === 0) return '{}';
  const lines = variables.map(({ name, raw }) => `  ${JSON.stringify(name)}: ${raw}`);
  return `{\n${lines.join(',\n')}\n}`;
}

/** Lists, objects and texts of several lines do not fit into a row. */
export const fitsTable = (variables: Variable[] | null): boolean =>
  variables?.every(({ raw }) => !/^[{[]/.test(raw) && !/\\[nr]/.test(raw)) ?? false;

// Texts that JSON reads as another type.
const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

export function shownValue({ raw }: Variable, kind: VariableKind): string {
  if (!raw.startsWith('"')) return raw;
  const text = String(JSON.parse(raw));
  const looksOtherwise = scalar.test(text) || text.startsWith('"');
  return kind === 'json' && looksOtherwise ? raw : text;
}

export function rawValue(text: string, kind: VariableKind): string {
  if (kind === 'json' && (scalar.test(text) || isQuoted(text))) return text;
  return JSON.stringify(text);
}

function isQuoted(text: string): boolean {
  if (!text.startsWith('"')) return false;
  try {
    return typeof JSON.parse(text) === 'string';
  } catch {
    return false;
  }
}

/** A missing or repeated name; null if all names are valid. */
export function nameFault(text: string): { missing: true } | { twice: string } | null {
  const names = variablesOf(text)?.map(({ name }) => name) ?? [];
  if (names.some((name) => name.trim() === '')) return { missing: true };
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? null : { twice };
}
