// Where the two containers of a pod have their files. Both see `podFolders.files`, only the side-car the rest.

import { join } from 'node:path';

const files = '/signalbox';
const own = '/side-car';

export const podFolders = {
  /** Shared by both containers. */
  files,
  /** The data folder of the side-car. */
  data: join(files, 'data'),
  /** What the main container waits for and writes. */
  main: join(files, 'main'),
  /** In memory, shared by both: secrets of the run. */
  memory: '/dev/shm',
  /** Of the side-car alone. */
  own,
  /** Each file is a request of the runner to the side-car. */
  requests: join(own, 'requests'),
} as const;

export const sideCarName = 'side-car';
export const mainName = 'task';
