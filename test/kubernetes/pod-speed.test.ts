// How soon a task in a pod prints, by the side of the same pod that is made by hand.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { setTimeout as delay } from 'node:timers/promises';
import type { V1Pod } from '@kubernetes/client-node';
import { launchGitDaemon } from '../helpers/git-daemon.ts';
import { theCluster } from './cluster/the-cluster.ts';
import { startInstallation, type Installation } from './product/installation.ts';

let bed: Installation;

beforeAll(async () => {
  bed = await startInstallation(theCluster(), {}, launchGitDaemon);
}, 1_800_000);

afterAll(() => bed.stop(), 120_000);

const rounds = 15;
/** How often the first line is looked for, in the same way for both. */
const LOOK_MS = 25;

/** Returns the milliseconds until a look finds the words. */
async function timed(begin: () => Promise<() => Promise<string>>): Promise<number> {
  const since = performance.now();
  const read = await begin();
  for (;;) {
    if ((await read()).includes('first line')) return performance.now() - since;
    await delay(LOOK_MS);
  }
}

const median = (numbers: number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

const printing = ['/bin/sh', '-c', 'echo first line; exec sleep 1000'];

/** The same pod by hand: only the main container prints by itself. */
function byHand({ spec }: V1Pod, name: string): V1Pod {
  if (!spec) throw new Error('The pod has no specification.');
  const { nodeName: _node, ...rest } = spec;
  const containers = rest.containers.map((container) =>
    container.name === 'task' ? Object.assign({}, container, { command: printing }) : container,
  );
  return { metadata: { name, labels: { hand: 'yes' } }, spec: { ...rest, containers } };
}

test('the first line of a task comes within twice the time of the same pod by hand', async () => {
  const template = await bed.addScript('echo first line; sleep 1\n');
  const { namespace, core } = bed;
  let model: V1Pod | undefined;
  const byTask = async (): Promise<number> => {
    let id = 0;
    const ms = await timed(async () => {
      id = await bed.launch(template);
      return () => bed.log(id).catch(() => '');
    });
    model ??= (await bed.pods())[0];
    await bed.untilFinished(id);
    return ms;
  };
  let count = 0;
  const hand = async (): Promise<number> => {
    count += 1;
    const name = `by-hand-${count}`;
    const body = byHand(model as V1Pod, name);
    const ms = await timed(async () => {
      await core.createNamespacedPod({ namespace, body });
      return () =>
        core.readNamespacedPodLog({ name, namespace, container: 'task' }).catch(() => '');
    });
    await core.deleteNamespacedPod({ name, namespace, gracePeriodSeconds: 0 });
    await delay(1500);
    return ms;
  };
  const [tasks, hands]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    tasks.push(await byTask());
    hands.push(await hand());
  }
  // Measured on two processors: 1.6. The exec for the credential, the start of Node and git compete for them.
  expect(median(tasks) / median(hands)).toBeLessThan(2);
});
