// The process of the runner beside a server: the server starts it, and writes to its standard input
// where to work. When that input ends, the server has ended or wants the runner to end.

import { createInterface } from 'node:readline';
import type { RunnerConfig } from './system/config.ts';
import { takeFolder } from './own-folder.ts';
import { startRunner, type Place } from './start.ts';
import { createLog } from './system/log.ts';
import { releaseMemorySoon } from './system/release-memory.ts';

/** What the server tells its runner, as one line of JSON. */
export interface Handoff extends Place {
  config: RunnerConfig;
}

async function main(): Promise<void> {
  // Signals of a terminal reach all processes in it; the server ends this one.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const input = createInterface({ input: process.stdin });
  const ended = new Promise<null>((resolve) => input.once('close', () => resolve(null)));
  const line = new Promise<string>((resolve) => input.once('line', resolve));
  const text = await Promise.race([line, ended]);
  if (text !== null) await work(JSON.parse(text) as Handoff, ended);
}

async function work({ config, ...place }: Handoff, ended: Promise<null>): Promise<void> {
  const log = createLog(config.logLevel);
  try {
    await takeFolder(config);
    // The server may go while it is still asked for the first time.
    const runner = await Promise.race([startRunner(config, place, log), ended]);
    if (runner === null) return;
    releaseMemorySoon();
    const words = await Promise.race([runner.shutOut, ended]);
    if (words !== null) log.error(words);
    await runner.close();
  } catch (error) {
    // The server starts another one in a moment.
    log.fatal({ err: error }, 'the runner cannot go on');
    process.exitCode = 1;
  }
}

await main();
// Whatever is still under way is for the next runner.
process.exit();
