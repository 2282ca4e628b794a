// Slow: kills podman, monitors, containers, supervisors and runners at random, again and again.

import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  containerSettings,
  startPodman,
  type TestPodman,
} from '../../../test/helpers/containers.ts';
import { randomNumber, runSeed } from '../../../test/helpers/random.ts';
import { until } from '../../../test/helpers/until.ts';
import { testRunner, type TestRunner } from '../../../test/runner/test-runner.ts';

const image = 'localhost/small:1';
const taskCount = 24;
const random = randomNumber(runSeed);
const randomInt = (below: number): number => Math.floor(random() * below);
const pick = <T>(all: T[]): T => all[randomInt(all.length)] as T;
let podman: TestPodman;

beforeAll(() => {
  podman = startPodman();
  podman.makeImage(image, { programs: { bash: '#!/bin/sh\nexec sh "$@"\n' } });
}, 120_000);

afterAll(() => podman.close(), 120_000);

const lines = 60;
const script = `i=0; while [ $i -lt ${lines} ]; do echo "line $i"; i=$((i+1)); sleep 0.05; done; echo whole\n`;

/** The pids of processes whose command line has all of these words. */
function pidsOf(...words: string[]): number[] {
  const all = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  const found = all.filter((one) => words.every((word) => one.includes(word)));
  return found.map((one) => Number.parseInt(one, 10));
}

const victims: Record<string, (runner: TestRunner) => number[]> = {
  podman: () => pidsOf('podman run --interactive', '--name=signalbox-'),
  'the monitor': () => pidsOf('conmon', podman.folder.replace(/\/bin$/, '')),
  'the program': () => pidsOf('sh run.sh'),
  'the supervisor': ({ config }) => pidsOf('supervisor.sh', config.dataDir),
};

/** Kills one of the processes, or ends the runner so that the next one goes on. */
async function killSomething(runner: TestRunner): Promise<void> {
  const name = pick([...Object.keys(victims), 'the runner', 'nothing']);
  if (name === 'the runner') return runner.restart();
  const found = victims[name]?.(runner) ?? [];
  if (found.length === 0) return;
  try {
    process.kill(pick(found), 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

test('whatever is killed, each task ends once, with its whole log, and nothing is left', async () => {
  const runner = await testRunner({ config: { path: podman.path, containers: containerSettings } });
  const given = {
    app: 'bash',
    playbook: 'run.sh',
    files: { 'run.sh': script },
    execution: { kind: 'container' as const, image },
  };
  const tasks = [];
  for (let count = 0; count < taskCount; count += 1) {
    tasks.push(await runner.launch(given));
    if (count % 4 !== 3) continue;
    for (let kills = randomInt(4); kills > 0; kills -= 1) {
      await new Promise((resolve) => setTimeout(resolve, randomInt(900)));
      await killSomething(runner);
    }
  }
  const ends = await Promise.all(tasks.map((task) => task.untilFinished()));
  for (const { status, log } of ends) {
    const numbers = [...log.matchAll(/^line (\d+)$/gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect([status, numbers.length === lines && log.includes('\nwhole')]).toEqual([
      status === 'success' ? 'success' : 'error',
      status === 'success' || numbers.length === lines,
    ]);
  }
  await until(() => podman.podman('ps', '--all', '--quiet') === '');
  await until(() => pidsOf('sh run.sh').length + pidsOf(runner.config.dataDir).length === 0);
}, 300_000);
