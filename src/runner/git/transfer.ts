// Turns git's progress of a long transfer into a few lines of a log.

// The first line comes after this pause too, so short transfers print none.
const linePauseMs = 1_000;

/** Whether a line of git only shows progress. */
export const isProgress = (line: string): boolean =>
  /^(?:remote: )?[A-Z][a-z]+(?: [a-z]+)*: +\d+(?:% \(|, done|$)/.test(line);

/** Returns a function that takes the pieces that git prints; calls `say` at most once a second. */
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
