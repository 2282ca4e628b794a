// A server loads this before its own code. It measures how long the event loop of the server stands
// still, from the signal that says that the server is ready until the one that ends it, and then
// writes the longest time, in milliseconds, into the file that its own address names. In an idle
// process it begins at once.

import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const everyMs = 10;

if (isMainThread) {
  const asked = new URL(import.meta.url).searchParams;
  const note = asked.get('note') ?? '';
  const delays = monitorEventLoopDelay({ resolution: everyMs });
  if (asked.get('begin') === 'now') delays.enable();
  else process.once('SIGUSR2', () => delays.enable());
  // This listener is called before that of the server, whose shutdown does not count.
  process.once('SIGTERM', () => {
    delays.disable();
    // The histogram has the time between two looks, of which everyMs pass in an idle process too.
    writeFileSync(note, String(Math.max(0, delays.max / 1e6 - everyMs)));
  });
}
