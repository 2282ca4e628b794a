import { cpus, loadavg } from 'node:os';

// Cached, because the system call is slow.
const processors = Math.max(1, cpus().length);

/** The load average of the last minute per processor. */
export function getLoad(): number {
  const [minute = 0] = loadavg();
  return Math.round((100 * minute) / processors) / 100;
}
