// How programs write a text between double quotes: JSON of JavaScript, of Go and in ASCII only, and the quoted text of
// Go, which plans of Terraform contain. Each may be escaped twice, as a JSON text inside another one.

type Escape = (text: string) => string;

const fourDigits = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;

const json: Escape = (text) => JSON.stringify(text).slice(1, -1);

const asciiOnly: Escape = (text) =>
  json(text).replace(/[^ -~]/g, (unit) => fourDigits(unit.charCodeAt(0)));

const goJson: Escape = (text) =>
  json(text).replace(/[<>&\u2028\u2029]/g, (sign) => fourDigits(sign.charCodeAt(0)));

/** Go had no short forms of these two before 1.22. */
const olderGoJson: Escape = (text) =>
  goJson(text).replace(/\\./g, (escape) =>
    escape === '\\b' ? '\\u0008' : escape === '\\f' ? '\\u000c' : escape,
  );

const short: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '	': '\\t',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
};

/** Go escapes everything but letters, marks, numbers, signs and the space. */
const goQuoted: Escape = (text) =>
  text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    if (short[sign] !== undefined) return short[sign];
    if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code < 0x1_00_00 ? fourDigits(code) : `\\U${code.toString(16).padStart(8, '0')}`;
  });

const escapes = [json, goJson, olderGoJson, asciiOnly, goQuoted];

// Escaping a longer text twice would make the mask slow.
const MAX_TWICE_ESCAPED_LENGTH = 16_384;

/** The escaped forms of a text, once and twice; at most 30, and one for a text without special characters. */
export function escapedForms(text: string): string[] {
  const once = [...new Set(escapes.map((escape) => escape(text)))];
  if (text.length > MAX_TWICE_ESCAPED_LENGTH) return once;
  const twice = once.flatMap((form) => escapes.map((escape) => escape(form)));
  return [...new Set([...once, ...twice])];
}
