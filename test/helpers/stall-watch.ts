// Measures how long the thread that answers people is kept busy at a stretch: by its time on a
// processor, so that a machine that is busy with other things fails nothing.

interface StallWatch {
  /** The longest stretch since it was asked last, in milliseconds. */
  longest: () => number;
  stop: () => void;
}

const every = 10;

export function watchStalls(): StallWatch {
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
