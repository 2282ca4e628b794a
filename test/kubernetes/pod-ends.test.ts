// Tasks whose pods end before their time, because of a limit or of the cluster: the reason is that of the task.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import { until } from '../helpers/until.ts';
import { theCluster } from './cluster/the-cluster.ts';
import { startInstallation, type Installation } from './product/installation.ts';

let bed: Installation;

beforeAll(async () => {
  bed = await startInstallation(theCluster());
}, 1_800_000);

afterAll(() => bed.stop(), 120_000);

const untilNoPods = () => until(async () => (await bed.pods()).length === 0);

const endless = 'echo begun; while :; do sleep 0.1; done\n';

/** Launches a task that runs until the cluster ends it, and returns how that is done with its pod. */
async function launchEndless(): Promise<{ id: number; name: string; namespace: string }> {
  const id = await bed.launch(await bed.addScript(endless));
  await bed.untilLogged(id, '\nbegun');
  const [pod] = await bed.pods();
  return { id, name: pod?.metadata?.name ?? '', namespace: bed.namespace };
}

test('a task is stopped at its time limit, with what it has printed', async () => {
  const template = await bed.addTemplate(
    { 'run.sh': "trap 'echo saved; exit' TERM; echo begun; while :; do sleep 0.1; done\n" },
    { name: 'Limited', app: 'bash', playbook: 'run.sh', timeout_s: 5 },
  );
  const id = await bed.launch(template);
  const task = await bed.untilFinished(id);
  expect(task.failure).toMatchObject({ code: 'failure.timeout' });
  expect(await bed.log(id)).toContain('\nsaved');
  await untilNoPods();
});

test('a task whose pod has a deadline of the cluster ends at it', async () => {
  const { id, ...pod } = await launchEndless();
  // As a policy of the cluster would set it.
  await bed.core.patchNamespacedPod(
    { ...pod, body: { spec: { activeDeadlineSeconds: 1 } } },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );
  const task = await bed.untilFinished(id);
  expect(task.failure?.code).toBe('failure.pod_deadline');
  await untilNoPods();
});

test('a task whose node is drained ends with the reason', async () => {
  const { id, ...pod } = await launchEndless();
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: pod };
  await bed.core.createNamespacedPodEviction({ ...pod, body });
  const task = await bed.untilFinished(id);
  expect(task.failure).toMatchObject({
    code: 'failure.pod_disrupted',
    params: { reason: expect.stringContaining('evicting') as string },
  });
  await untilNoPods();
});

test('a task that fills the disk of its node is evicted', async () => {
  const { namespace } = bed;
  const limits = [{ type: 'Container', _default: { 'ephemeral-storage': '20Mi' } }];
  const body = { metadata: { name: 'disk', namespace }, spec: { limits } };
  await bed.core.createNamespacedLimitRange({ namespace, body });
  const script = `head -c 100000000 /dev/zero >big; ${endless}`;
  const id = await bed.launch(await bed.addScript(script));
  const task = await bed.untilFinished(id);
  expect(task.failure).toMatchObject({
    code: 'failure.pod_evicted',
    params: { reason: expect.stringContaining('ephemeral') as string },
  });
  await bed.core.deleteNamespacedLimitRange({ name: 'disk', namespace });
  await untilNoPods();
});
