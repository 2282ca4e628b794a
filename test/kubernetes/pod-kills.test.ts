// Random kills of everything around running pods: nothing is lost, doubled, stuck or left over.

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomNumber, runSeed } from '../helpers/random.ts';
import { until } from '../helpers/until.ts';
import { onSimulatedNode } from './cluster/simulated-nodes.ts';
import { theCluster } from './cluster/the-cluster.ts';
import { startInstallation, type Installation } from './product/installation.ts';

const count = Number(process.env['TEST_POD_TASKS'] ?? 200);
const linesOfTask = 25;
const atOnce = 12;
let bed: Installation;

beforeAll(async () => {
  bed = await startInstallation(theCluster(), { SIGNALBOX_MAX_PARALLEL_TASKS: String(atOnce) });
}, 1_800_000);

afterAll(() => bed.stop(), 120_000);

const script = `for n in $(seq ${linesOfTask}); do echo "line $n"; sleep 0.2; done\n`;

/** The victims, each with what kills it and what brings it back. */
function kills(deleted: Set<string>): Record<string, () => Promise<void>> {
  const cluster = theCluster();
  const again = async (kill: () => Promise<void>, start: () => Promise<void>): Promise<void> => {
    await kill();
    await delay(1000);
    await start();
  };
  return {
    runner: () => again(bed.runner.kill, bed.runner.start),
    server: () => again(bed.server.kill, bed.server.start),
    kubelet: () =>
      again(
        () => cluster.kill('kubelet'),
        () => cluster.start('kubelet'),
      ),
    apiserver: () =>
      again(
        () => cluster.kill('apiserver'),
        () => cluster.start('apiserver'),
      ),
    async pod() {
      const [pod] = await bed.pods().catch(() => []);
      const { name = '', labels } = pod?.metadata ?? {};
      if (name === '') return;
      deleted.add(labels?.['signalbox.dev/task'] ?? '');
      const gone = { name, namespace: bed.namespace, gracePeriodSeconds: 0 };
      await bed.core.deleteNamespacedPod(gone).catch(() => undefined);
    },
  };
}

const whole = Array.from({ length: linesOfTask }, (_none, index) => `line ${index + 1}`);

/** What is wrong with the end of a task; null: nothing. */
async function wrongAbout(id: number, isDeleted: boolean): Promise<string | null> {
  const { status, failure } = await bed.task(id);
  const lines = (await bed.log(id)).split('\n').filter((line) => line.startsWith('line '));
  const isLost = isDeleted && failure?.code === 'failure.pod_lost';
  const wanted = isLost ? whole.slice(0, lines.length) : whole;
  if (!isLost && status !== 'success') return `${id}: ${status}, ${failure?.text}`;
  return lines.join() === wanted.join() ? null : `${id}: ${lines.join()}`;
}

test(`${count} tasks end once and whole while everything around them is killed`, async () => {
  const template = await bed.addScript(script);
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await bed.launch(template));
  const deleted = new Set<string>();
  const victims = Object.entries(kills(deleted));
  const random = randomNumber(runSeed);
  const isOver = async (): Promise<boolean> => {
    const tasks = await Promise.all(ids.map((id) => bed.task(id)));
    return tasks.every(({ end }) => end !== null);
  };
  while (!(await isOver().catch(() => false))) {
    await delay(2000 + random() * 3000);
    const [, kill] = victims[Math.floor(random() * victims.length)] ?? [];
    await kill?.();
  }
  const wrong = await Promise.all(ids.map((id) => wrongAbout(id, deleted.has(String(id)))));
  expect(wrong.filter((words) => words !== null)).toEqual([]);
  await until(async () => (await bed.pods()).length === 0);
});

test('a thousand waiting tasks make no more pods than the runner may have', async () => {
  await theCluster().simulatedNodes(3);
  const { nodeSelector, tolerations } = onSimulatedNode;
  const template = await bed.addScript('true\n', {
    node_labels: Object.entries(nodeSelector ?? {}).map(([name, value]) => `${name}=${value}`),
    tolerations: (tolerations ?? []).map(({ key, effect }) => `${key}:${effect}`),
  });
  for (let index = 0; index < 100; index += 1) {
    await Promise.all(Array.from({ length: 10 }, () => bed.launch(template)));
  }
  await until(async () => (await bed.pods()).length === atOnce);
  for (let look = 0; look < 20; look += 1) {
    expect((await bed.pods()).length).toBeLessThanOrEqual(atOnce);
    await delay(500);
  }
});
