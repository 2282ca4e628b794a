// How deep JSON is nested, seen before it is parsed: parsing, checking and printing go as deep as
// the text does, and become slow, or come to the end of the stack.

const codeOf = (sign: string): number => sign.charCodeAt(0);
const [quote, backslash] = [codeOf('"'), codeOf('\\')];
const [openObject, openList, endObject, endList] = ['{', '[', '}', ']'].map(codeOf);

/** Whether brackets outside of texts are nested deeper than this. It stops where they are. */
export function isDeeperThan(limit: number, text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = endOfText(text, at);
    else if (sign === openObject || sign === openList) depth += 1;
    else if (sign === endObject || sign === endList) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}

/** Where the text that begins here ends: at its quote, or with everything. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let signs = 0;
    while (text.charCodeAt(at - 1 - signs) === backslash) signs += 1;
    if (signs % 2 === 0) return at;
  }
  return text.length;
}
