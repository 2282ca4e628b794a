// Also the delay before the first line, so short transfers print none.
const linePauseMs = 1_000;

/** Whether a line of git is a progress message. */
export const isProgress = (line: string): boolean =>
  /^(?:remote: )?[A-Z][a-z]+(?: [a-z]+)*: +\d+(?:% \(|, done|$)/.test(line);

/** The returned function receives pieces of git's output; calls `say` at most once a second. */
export function createProgress(say: (line: string) => void): (text: string) => void {
  let next = performance.now() + linePauseMs;
  let rest = '';
  return (text) => {
    const lines = (rest + text).split(/[\r\n]/);
    rest = (lines.pop() ?? '').slice(-1000);
    const newest = lines.findLast(isProgress);
    const now = performance.now();
    if (newest === undefined || now < next) return;
    next = now + linePauseMs;
    say(newest.trim());
  };
}
