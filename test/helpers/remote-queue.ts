// The queue of a runner that does nothing but ask for news.

import type { Ask } from '../../src/runner/client/ask.ts';
import { RemoteQueue } from '../../src/runner/client/queue.ts';
import { createLog } from '../../src/runner/system/log.ts';

export const remoteQueue = (ask: Ask): RemoteQueue =>
  new RemoteQueue({
    ask,
    config: { maxParallelTasks: 10, dataDir: '/', leastDiskBytes: 0 },
    log: createLog('silent'),
    ansibleVersion: () => '',
    gitVersion: () => '',
    aside: () => null,
    onLook: () => Promise.resolve(),
    onTime: () => undefined,
    onShutOut: () => undefined,
  });
