// `npm run bench [-- NAME...]`: runs all benchmarks, or those that are named, and writes their sections
// of `docs/benchmarks.md`. They run one after the other and take about half an hour; nothing else
// should run meanwhile.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { setUp } from '../setup/set-up.js';
import { measureBursts } from './bursts.ts';
import { measureCalls } from './calls.ts';
import { measureConsole } from './console.ts';
import { measureHistory } from './history.ts';
import { root } from './installation.ts';
import { measureLaunches } from './launches.ts';
import { measureLogs } from './logs.ts';
import { type Machine, printPage } from './page.ts';
import { measurePrinting } from './printing.ts';
import { measureRemoteRunners } from './remote-runners.ts';
import { measureRepository } from './repository.ts';
import type { Bench } from './rows.ts';
import { measureSockets } from './sockets.ts';
import { takeStalls } from './stalls.ts';
import { measureStart } from './start.ts';
import { measureSteps } from './steps.ts';

const benches: Record<string, Bench> = {
  start: measureStart,
  launches: measureLaunches,
  steps: measureSteps,
  bursts: measureBursts,
  repository: measureRepository,
  logs: measureLogs,
  printing: measurePrinting,
  sockets: measureSockets,
  calls: measureCalls,
  history: measureHistory,
  'remote-runners': measureRemoteRunners,
  console: measureConsole,
};

const versionIn = (program: string, pattern: RegExp): string =>
  pattern.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[1] ?? 'unknown';

function machine(): Machine {
  const [processor] = cpus();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return {
    cores: cpus().length,
    processor: processor?.model ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    versions: {
      Signalbox: version,
      Node: process.versions.node,
      Ansible: versionIn('ansible-playbook', /core ([\d.]+)/),
      git: versionIn('git', /version ([\d.]+)/),
    },
    date: new Date().toISOString().slice(0, 10),
  };
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(
    `There is no benchmark "${unknown.join('", "')}": ${Object.keys(benches).join(', ')}.`,
  );
  process.exit(2);
}
const file = join(root, 'docs/benchmarks.md');
process.exitCode = await setUp('build');
if (process.exitCode === 0) {
  const names = Object.keys(benches);
  for (const name of asked.length > 0 ? asked : names) {
    console.error(`${name} …`);
    const rows = (await benches[name]?.()) ?? [];
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const section = { name, machine: machine(), rows: [...rows, ...takeStalls()] };
    const page = printPage(names, before, section);
    writeFileSync(file, page);
    console.log(printPage([name], page, section));
  }
}
