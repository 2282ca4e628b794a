// The process of the runner beside a server. The server starts it and writes its settings to its standard input,
// whose end shuts the runner down.

import { createInterface } from 'node:readline';
import type { RunnerConfig } from './config/runner-config.ts';
import { takeFolder } from './own-folder.ts';
import { startRunner, type ServerConnection } from './start.ts';
import { createLog } from '../node/log/log.ts';

/** What the server writes to its runner as a line of JSON. */
export interface Handoff extends ServerConnection {
  config: RunnerConfig;
}

async function main(): Promise<void> {
  // A terminal sends signals to all its processes, but only the server may end this one.
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
    // The server may end before it responds to the first request of the runner.
    const runner = await Promise.race([startRunner(config, place, log), ended]);
    if (runner === null) return;
    const words = await Promise.race([runner.shutOut, ended]);
    if (words !== null) log.error(words);
    await runner.close();
  } catch (error) {
    // The server restarts the runner.
    log.fatal({ err: error }, 'the runner cannot go on');
    process.exitCode = 1;
  }
}

await main();
// The next runner takes over running programs.
process.exit();
