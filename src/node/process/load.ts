import { cpus, loadavg } from 'node:os';

// Counted once, because asking the system for them takes longer than everything else here.
const processors = Math.max(1, cpus().length);

/** The load average of the last minute, divided by the number of processors. */
export function getLoad(): number {
  const [minute = 0] = loadavg();
  return Math.round((100 * minute) / processors) / 100;
}
