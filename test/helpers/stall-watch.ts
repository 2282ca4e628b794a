// Measures how long the event loop is blocked at a stretch, in CPU time, so that a machine that is
// busy with other things fails no test.

import { collectGarbage } from './collect-garbage.ts';

interface StallWatch {
  /** The longest stretch since the last call, in milliseconds. */
  longest: () => number;
  stop: () => void;
}

const every = 10;

export function watchStalls(): StallWatch {
  // Garbage of earlier tests would be collected while a request is measured.
  collectGarbage();
  let worst = 0;
  let before = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    worst = Math.max(worst, (user + system) / 1000);
  };
  const timer = setInterval(look, every);
  return {
    longest() {
      look();
      const longest = worst;
      worst = 0;
      return longest;
    },
    stop: () => clearInterval(timer),
  };
}
