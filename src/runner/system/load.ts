import { cpus, loadavg } from 'node:os';

/** Load of this machine, for each of its processors. */
export function loadNow(): number {
  const [minute = 0] = loadavg();
  return Math.round((100 * minute) / Math.max(1, cpus().length)) / 100;
}
