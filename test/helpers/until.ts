// Waits until something becomes true; tests never sleep.

// In seconds. This limit only ends a wait for something that never becomes true, however busy the
// machine is.
const longestWaitSeconds = 120;

// In milliseconds. Most conditions are true at once or much later, and checking one may cost a
// request.
const shortestPause = 5;
const longestPause = 50;
const longestWithHint = 200;

/** Begins to call back when the condition should be checked; returns a function that ends that. */
export type Hint = (wake: () => void) => () => void;

/** Asks again and again; returns the first value that is neither false nor null. */
export async function until<T>(
  condition: () => T | Promise<T>,
  seconds = longestWaitSeconds,
  hint?: Hint,
): Promise<NonNullable<Exclude<T, false>>> {
  const bell = createBell();
  const endHint = hint?.(bell.ring);
  const longest = hint ? longestWithHint : longestPause;
  const end = Date.now() + seconds * 1000;
  try {
    for (let pause = shortestPause; ; pause = Math.min(pause * 1.5, longest)) {
      bell.silence();
      const value = await condition();
      if (value) return value as NonNullable<Exclude<T, false>>;
      if (Date.now() > end)
        throw new Error(`Not true within ${seconds} seconds: ${String(condition)}`);
      await bell.orAfter(pause);
    }
  } finally {
    endHint?.();
  }
}

/** A call while nobody waits wakes the next one who waits. */
function createBell() {
  let hasRung = false;
  let heard: () => void = () => undefined;
  return {
    ring() {
      hasRung = true;
      heard();
    },
    silence() {
      hasRung = false;
    },
    orAfter: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, hasRung ? 0 : milliseconds);
        heard = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
