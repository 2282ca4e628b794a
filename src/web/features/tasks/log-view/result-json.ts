// The JSON at the end of a line of the log, as Ansible prints the result of a host that failed.

import { prettyJson } from '../../../ui/code/pretty-json.ts';

/** In characters. Longer lines are not parsed, since that would block the page. */
const MAX_LINE_LENGTH = 200_000;
/** Braces may stand before the JSON, for example in the item of a loop. */
const MAX_BRACES = 20;

/** The JSON object with which a line ends, indented; null: none. `text`: without colors. */
export function jsonAtEnd(text: string): string | null {
  if (text.length > MAX_LINE_LENGTH || !text.trimEnd().endsWith('}')) return null;
  let at = text.indexOf('{');
  for (let tried = 0; at >= 0 && tried < MAX_BRACES; tried += 1) {
    const json = prettyJson(text.slice(at));
    if (json !== null) return json;
    at = text.indexOf('{', at + 1);
  }
  return null;
}
