// The process of the side-car.

import { writeFile } from 'node:fs/promises';
import { createLog } from '../../node/log/log.ts';
import { SideCar, SideCarFailed } from './side-car.ts';

/** The file whose text Kubernetes shows in the status of a container that has ended. */
const messageFile = '/dev/termination-log';

/** Settles when the task is over; returns the exit code. `path`: PATH of its own programs. */
export async function runSideCar(path: string): Promise<number> {
  const log = createLog('info');
  const sideCar = new SideCar(log, path);
  process.on('SIGTERM', () => sideCar.endPod());
  try {
    await sideCar.run();
    return 0;
  } catch (error) {
    log.fatal({ err: error }, 'the task cannot run in this pod');
    const message = error instanceof SideCarFailed ? error.message : String(error);
    await writeFile(messageFile, message).catch(() => undefined);
    return error instanceof SideCarFailed ? error.exitCode : 1;
  }
}
