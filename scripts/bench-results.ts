// `npm run bench:results`: measures what recording the results of each host costs a run of Ansible, and
// how many bytes a stored result takes. Two playbooks run by `ansible-playbook` itself, with our callback
// and without it in turn: a loop of 5,000 items, and 50 hosts with 100 tasks. Run as a file, it takes the
// rounds, items, hosts and tasks: `node_modules/.bin/node scripts/bench-results.ts 3 500 10 20`.

import { spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import type { RunResult } from '#shared/api/run-results.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { RunnerApi } from '../src/runner/api/runner-api.ts';
import { createMask } from '../src/runner/log/mask.ts';
import { followProgress } from '../src/runner/progress/follow-progress.ts';
import { toLine } from '../src/server/automation/tasks/results/result-lines.ts';
import { median } from './bench/rows.ts';

const [rounds = 3, items = 5000, hosts = 50, tasks = 100] = process.argv.slice(2).map(Number);
const mostRatio = 1.05;
const mostBytes = 60;
const chunkBytes = 64 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const plugins = join(folder, 'plugins');
const plugin = 'signalbox_progress.py';

interface Case {
  name: string;
  playbook: string;
  inventory: string;
}

const local = (count: number): string =>
  Array.from({ length: count }, (_, at) => `host-${at} ansible_connection=local\n`).join('');

const head = '- hosts: all\n  gather_facts: false\n  tasks:\n';
const cases: Case[] = [
  {
    name: `a loop of ${items} items`,
    playbook: `${head}    - set_fact: { last: "{{ item }}" }\n      loop: "{{ range(${items}) | list }}"\n`,
    inventory: local(1),
  },
  {
    name: `${hosts} hosts with ${tasks} tasks`,
    playbook:
      head +
      Array.from(
        { length: tasks },
        (_, at) => `    - name: Task ${at}\n      set_fact: { at: ${at} }\n`,
      ).join(''),
    inventory: local(hosts),
  },
];

interface Run {
  seconds: number;
  /** The time of the processor that Ansible and its modules took, which other programs change less. */
  processorSeconds: number;
  /** The results, and what they take when they are stored. */
  results: RunResult[];
}

/** Runs a playbook; what it prints goes into a file, as in a run of the product. */
async function run({ playbook, inventory }: Case, isRecorded: boolean): Promise<Run> {
  const place = mkdtempSync(join(folder, 'run-'));
  writeFileSync(join(place, 'play.yml'), playbook);
  writeFileSync(join(place, 'hosts'), inventory);
  const output = openSync(join(place, 'spool'), 'a');
  const recording = {
    ANSIBLE_CALLBACK_PLUGINS: plugins,
    SIGNALBOX_PROGRESS_FILE: join(place, 'progress'),
  };
  const begun = performance.now();
  const script = 'ansible-playbook -i hosts play.yml; code=$?; times > times; exit $code';
  const program = spawn('/bin/sh', ['-c', script], {
    cwd: place,
    env: { ...process.env, ANSIBLE_FORKS: '10', ...(isRecorded && recording) },
    stdio: ['ignore', output, output],
  });
  const ended = new Promise<number | null>((settle) => program.once('exit', settle));
  // The runner follows the run while it goes on, and takes its share of the machine.
  const follower = isRecorded ? follow(place) : null;
  if ((await ended) !== 0) throw new Error(readFileSync(join(place, 'spool'), 'utf8'));
  const seconds = (performance.now() - begun) / 1000;
  const processorSeconds = secondsIn(readFileSync(join(place, 'times'), 'utf8'));
  return { seconds, processorSeconds, results: (await follower?.end()) ?? [] };
}

/** The last line of what `times` of the shell prints is about its children: `1m2.5s 0m3.4s`. */
function secondsIn(text: string): number {
  const found =
    text
      .trim()
      .split('\n')
      .at(-1)
      ?.matchAll(/(\d+)m([\d.]+)s/g) ?? [];
  return [...found].reduce(
    (sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest),
    0,
  );
}

function follow(place: string): { end: () => Promise<RunResult[]> } {
  const results: RunResult[] = [];
  const nothing = (): Promise<void> => Promise.resolve();
  const runnerApi = {
    recordSections: nothing,
    recordHosts: nothing,
    recordFacts: nothing,
    recordFailures: nothing,
    recordProgress: nothing,
    storeResults(_task: unknown, _from: number, more: RunResult[]) {
      results.push(...more);
      return Promise.resolve(true);
    },
  } as Partial<RunnerApi> as RunnerApi;
  const mask = createMask([]);
  const follower = followProgress(
    { runnerApi, log: console as never, config: {} as never, clock: { now: () => new Date() } },
    { id: 1, project_id: 1, lease: 1, results: 0, snapshot: {} } as RunnerTask,
    {
      folder: place,
      checkout: place,
      spool: join(place, 'spool'),
      from: 0,
      lines: 0,
      mask,
      maskPart: mask,
      maskTail: mask,
      isAway: () => false,
      detached: new AbortController().signal,
    },
  );
  return {
    async end() {
      await follower.end();
      return results;
    },
  };
}

/** What the results take in the database: chunks of their lines, compressed. */
function storedBytes(results: RunResult[]): number {
  let bytes = 0;
  let lines: string[] = [];
  let length = 0;
  const close = (): void => {
    bytes += zstdCompressSync(lines.join('\n')).length;
    [lines, length] = [[], 0];
  };
  for (const line of results.map(toLine)) {
    if (length + line.length > chunkBytes) close();
    lines.push(line);
    length += line.length + 1;
  }
  if (lines.length > 0) close();
  return bytes;
}

async function measure(one: Case): Promise<boolean> {
  const [on, off]: [Run[], Run[]] = [[], []];
  // Not counted: the first run reads everything from the disk.
  await run({ ...one, inventory: local(1), playbook: `${head}    - debug:\n` }, true);
  for (let round = 1; round <= rounds; round += 1) {
    // The order changes, so that a machine that grows slower or faster favours neither.
    for (const isRecorded of round % 2 === 0 ? [true, false] : [false, true]) {
      (isRecorded ? on : off).push(await run(one, isRecorded));
      await delay(100);
    }
  }
  console.log(`${one.name}, ${rounds} rounds`);
  const ratio = ratioOf('seconds', on, off);
  ratioOf('processorSeconds', on, off);
  const results = on.at(-1)?.results ?? [];
  const bytes = storedBytes(results) / results.length;
  console.log(
    `  ${results.length} results of ${bytes.toFixed(1)} bytes (of many, under ${mostBytes})`,
  );
  return ratio <= mostRatio && (results.length < 100 || bytes < mostBytes);
}

/** The ratio of the medians, which it prints. */
function ratioOf(name: 'seconds' | 'processorSeconds', on: Run[], off: Run[]): number {
  const [recorded, plain] = [on, off].map((runs) => median(runs.map((one) => one[name])));
  const ratio = (recorded ?? NaN) / (plain ?? NaN);
  const what = name === 'seconds' ? 'wall time' : 'processor time';
  const times = `${plain?.toFixed(2)} s without recording, ${recorded?.toFixed(2)} s with it`;
  console.log(
    `  ${what}: ${times}, ratio ${ratio.toFixed(3)}${name === 'seconds' ? ` (at most ${mostRatio})` : ''}`,
  );
  return ratio;
}

mkdirSync(plugins);
copyFileSync(resolve('src/runner/apps/callback', plugin), join(plugins, plugin));
try {
  let isGood = true;
  for (const one of cases) isGood = (await measure(one)) && isGood;
  if (!isGood) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
