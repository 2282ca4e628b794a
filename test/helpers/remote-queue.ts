// The queue of a runner that does nothing but ask for news.

import type { CallServer } from '../../src/runner/client/server-client.ts';
import { HttpTaskQueue } from '../../src/runner/client/http-task-queue.ts';
import { createLog } from '../../src/node/log/log.ts';

export const remoteQueue = (ask: CallServer): HttpTaskQueue =>
  new HttpTaskQueue({
    ask,
    config: { maxParallelTasks: 10, dataDir: '/', leastDiskBytes: 0 },
    log: createLog('silent'),
    ansibleVersion: () => '',
    containerEngine: () => '',
    gitVersion: () => '',
    aside: () => null,
    onInspection: () => Promise.resolve(),
    onServerTime: () => undefined,
    onRejected: () => undefined,
  });
