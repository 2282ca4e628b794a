// Finds the first error in the end of a log. Pure functions.

/** Texts before or in an error message, but not counts such as "failed=0". */
const error =
  /\b(?:errors?|fatal|panic|fail(?:ed|ure|s)?|exception|denied|refused|not found|no such|not recognized|cannot|can't|could not|unable to)\b(?!\s*[=:]\s*\d)/i;
const none = /\b(?:0|no|without) (?:errors?|failures?|failed)\b/i;
const traceback = /^Traceback \(most recent call last\)/;

interface FirstError {
  /** The index of the first line of the error. */
  from: number;
  /** The line with the message. */
  headline: string;
}

/** Returns null if no line looks like an error. */
export function firstError(lines: readonly string[]): FirstError | null {
  const from = lines.findIndex(
    (line) => traceback.test(line) || (error.test(line) && !none.test(line)),
  );
  const line = lines[from];
  if (line === undefined) return null;
  if (!traceback.test(line)) return { from, headline: line.trim() };
  // Python prints the exception below its traceback.
  const named = lines.slice(from + 1).find((one) => /^\S/.test(one));
  return { from, headline: (named ?? line).trim() };
}
