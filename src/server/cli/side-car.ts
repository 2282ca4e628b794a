import { runSideCar } from '../../runner/side-car/main.ts';
import type { Surroundings } from './surroundings.ts';

/** Runs one task in a pod of Kubernetes; returns the exit code. */
export const runInPod = ({ environment }: Surroundings): Promise<number> =>
  runSideCar(environment?.['PATH'] ?? '/usr/local/bin:/usr/bin:/bin');
