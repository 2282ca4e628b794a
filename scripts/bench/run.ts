// `npm run bench [-- NAME...] [-- --baseline CHECKOUT]`: runs all benchmarks or the named ones in turn;
// nothing else should run meanwhile. The baseline of each number is measured in turn with it: the
// benchmark's own, or the build of another checkout. Without another checkout the results are written
// into `docs/benchmarks.md`.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { setUp } from '../setup/set-up.js';
import { measureBurst } from './burst.ts';
import { measureConsole } from './console.ts';
import { measureContainers } from './containers.ts';
import { measureGrants } from './grants.ts';
import { root } from './installation.ts';
import { measureLaunch } from './launch.ts';
import { measureLists } from './lists.ts';
import { measureLive } from './live.ts';
import { measureLog } from './log.ts';
import { type Bench, type Row, takeRow } from './measure.ts';
import { type Machine, printPage, printSection } from './page.ts';
import { measureRemoteRunners } from './remote-runners.ts';
import { measureResults } from './results.ts';
import { measureStart } from './start.ts';

const benches: Record<string, Bench> = {
  start: measureStart,
  launch: measureLaunch,
  burst: measureBurst,
  log: measureLog,
  live: measureLive,
  lists: measureLists,
  results: measureResults,
  grants: measureGrants,
  'remote-runners': measureRemoteRunners,
  containers: measureContainers,
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

async function measure(bench: Bench, baseline: string | null): Promise<Row[]> {
  const ours = await bench(root);
  const theirs = baseline === null ? null : await bench(baseline);
  const name = `the build of ${basename(baseline ?? '')}`;
  const rows: Row[] = [];
  try {
    for (const [index, own] of ours.measures.entries()) {
      rows.push(await takeRow(own, theirs?.measures[index] ?? null, name));
    }
  } finally {
    await ours.end();
    await theirs?.end();
  }
  return rows;
}

const { values, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { baseline: { type: 'string' } },
});
const baseline = values.baseline === undefined ? null : resolve(values.baseline);
const names = Object.keys(benches);
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown.join('", "')}": ${names.join(', ')}.`);
  process.exit(2);
}
const file = join(root, 'docs/benchmarks.md');
process.exitCode = await setUp('build');
for (const name of process.exitCode === 0 ? names : []) {
  const bench = benches[name];
  if (!bench || (chosen.length > 0 && !chosen.includes(name))) continue;
  console.error(`${name} …`);
  const section = { name, machine: machine(), rows: await measure(bench, baseline) };
  console.log(printSection(section));
  if (baseline !== null) continue;
  writeFileSync(file, printPage(names, readFileSync(file, 'utf8'), section));
}
