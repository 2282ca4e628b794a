// The result of a host that failed: Ansible prints it as JSON at the end of one long line.

/** In characters. Longer results are not parsed, since that would block the page. */
const MAX_RESULT_LENGTH = 200_000;

// "fatal: [web1]: FAILED! => {", "failed: [web1] (item=a) => {", also with the host it ran for.
const start = /^(?:fatal|failed): \[.{1,300}?\].{0,1000}? => (?=\{)/v;

/** The JSON at the end of the line of a failed host; null for other lines. `text`: without colors. */
export function resultJson(text: string): string | null {
  if (text.length > MAX_RESULT_LENGTH || !text.trimEnd().endsWith('}')) return null;
  const found = start.exec(text);
  return found && text.slice(found[0].length);
}
