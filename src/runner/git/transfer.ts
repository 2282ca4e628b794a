// What git says of a long transfer, as a few lines of a log.

// Milliseconds between two lines, and before the first one: short transfers print none.
const pause = 1_000;

/** Whether a line only counts up. */
export const isProgress = (line: string): boolean =>
  /^(?:remote: )?[A-Z][a-z]+(?: [a-z]+)*: +\d+(?:% \(|, done|$)/.test(line);

/** Takes the pieces that git prints, and says at most one line a second. */
export function createProgress(say: (line: string) => void): (text: string) => void {
  let next = performance.now() + pause;
  let rest = '';
  return (text) => {
    const lines = (rest + text).split(/[\r\n]/);
    rest = (lines.pop() ?? '').slice(-1000);
    const newest = lines.findLast(isProgress);
    const now = performance.now();
    if (newest === undefined || now < next) return;
    next = now + pause;
    say(newest.trim());
  };
}
