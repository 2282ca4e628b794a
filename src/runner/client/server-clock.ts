import type { Clock } from '../../node/async/clock.ts';

/** The clock of the server, so that the times in a log are consistent with its task. */
export function serverClock(): Clock & { set: (time: string) => void } {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    set(time) {
      ahead = Date.parse(time) - Date.now();
    },
  };
}
