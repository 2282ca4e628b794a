// Checks the size of JSON before it is parsed. Parsing, validation and serialization recurse as deep as it is nested, so
// they become slow or overflow the stack; and they take time for each value, of which a short text may have many.

const codeOf = (sign: string): number => sign.charCodeAt(0);
const [quote, backslash] = [codeOf('"'), codeOf('\\')];
const [openObject, openList, endObject, endList] = ['{', '[', '}', ']'].map(codeOf);
const comma = codeOf(',');

/** Whether brackets outside of strings are nested deeper than `limit`. */
export const isDeeperThan = (limit: number, text: string): boolean =>
  exceeds({ depth: limit, values: Infinity, fields: Infinity }, text) !== null;

export interface JsonLimits {
  /** The levels of brackets. */
  depth: number;
  /** The number of values, counted by commas and opening brackets. */
  values: number;
  /** The number of fields of one object, which are slower to parse than other values. */
  fields: number;
}

/** The first exceeded limit; null: none. */
export function exceeds(limit: JsonLimits, text: string): keyof JsonLimits | null {
  let values = 1;
  let depth = 0;
  // By depth: the number of fields of the open object; NaN for a list.
  const fields: number[] = [Number.NaN];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = endOfText(text, at);
    else if (sign === openObject || sign === openList) {
      depth += 1;
      values += 1;
      if (depth > limit.depth) return 'depth';
      if (depth > 0) fields[depth] = sign === openObject ? 1 : Number.NaN;
    } else if (sign === endObject || sign === endList) depth -= 1;
    else if (sign === comma) {
      values += 1;
      const count = (fields[depth] ?? Number.NaN) + 1;
      fields[depth] = count;
      if (count > limit.fields) return 'fields';
    }
    if (values > limit.values) return 'values';
  }
  return null;
}

/** The index of the closing quote of a string, or the length of the text. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let signs = 0;
    while (text.charCodeAt(at - 1 - signs) === backslash) signs += 1;
    if (signs % 2 === 0) return at;
  }
  return text.length;
}
