import { cpus, loadavg } from 'node:os';

// Asking the system for them costs more than all else here.
const processors = Math.max(1, cpus().length);

/** Load of this machine, for each of its processors. */
export function loadNow(): number {
  const [minute = 0] = loadavg();
  return Math.round((100 * minute) / processors) / 100;
}
