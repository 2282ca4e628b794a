// The manifests of deploy/kubernetes/runner in a real cluster: what a team applies is a runner that runs tasks.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KubernetesObject, KubernetesObjectApi } from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manifestsIn } from '../helpers/manifests.ts';
import { until } from '../helpers/until.ts';
import { signalboxImage } from './cluster/images.ts';
import { theCluster } from './cluster/the-cluster.ts';
import { startInstallation, type Installation } from './product/installation.ts';

interface Runner {
  id: number;
  remote: boolean;
}

const namespace = 'signalbox-tasks';
let bed: Installation;
let volume: string;

beforeAll(async () => {
  bed = await startInstallation(theCluster());
  // Its tasks are left to the runner in the cluster.
  const [outside] = (await bed.call<Runner[]>('GET', '/api/runners')).filter(
    ({ remote }) => remote,
  );
  await bed.call('DELETE', `/api/runners/${outside?.id}`);
  volume = await mkdtemp(join(tmpdir(), 'signalbox-volume-'));
}, 1_800_000);

afterAll(async () => {
  await theCluster().admin.makeApiClient(KubernetesObjectApi).delete(namespaceObject);
  await bed.stop();
  await rm(volume, { recursive: true, force: true });
}, 120_000);

const namespaceObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };

/** The manifests with what the guide tells to change: the name of the image and the address of the server. */
function changedManifests(address: string): KubernetesObject[] {
  const files = manifestsIn('deploy/kubernetes/runner');
  const names = ['namespace.yaml', 'account.yaml', 'network-policy.yaml', 'runner.yaml'];
  const text = JSON.stringify(names.flatMap((name) => files.get(name) ?? []))
    .replaceAll('"signalbox:0.1.0"', JSON.stringify(signalboxImage))
    .replaceAll('https://signalbox.example.com', address);
  return JSON.parse(text) as KubernetesObject[];
}

const anyNode = { key: 'kubernetes.io/hostname', operator: 'Exists' };

/** What a provisioner of volumes makes for a claim. */
const volumeObject = (path: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'runner-data' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    // The kubelet gives it to the group of the pod, as it does with those of providers.
    local: { path },
    nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [anyNode] }] } },
    claimRef: { namespace, name: 'data-signalbox-runner-0' },
  },
});

const secretObject = (token: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'signalbox-runner', namespace },
  stringData: { runner_token: token },
});

test('the applied runner registers, runs a task in a pod of its StatefulSet, and goes on after a restart', async () => {
  const cluster = theCluster();
  const api = cluster.admin.makeApiClient(KubernetesObjectApi);
  await cluster.openApi();
  const address = await cluster.reachable(bed.server.port);
  const { token } = await bed.call<{ token: string }>('POST', '/api/runners', { name: 'Inside' });
  const [first, ...others] = changedManifests(address);
  for (const object of [first, secretObject(token), volumeObject(volume), ...others]) {
    await api.create(object as KubernetesObject);
  }
  const id = await bed.launch(await bed.addScript('echo begun; sleep 2; echo "user $(id -u)"\n'));
  await bed.untilLogged(id, '\nbegun');
  const { items } = await bed.core.listNamespacedPod({
    namespace,
    labelSelector: 'app.kubernetes.io/name=signalbox-task',
  });
  expect(items.flatMap(({ metadata }) => metadata?.ownerReferences ?? [])).toMatchObject([
    { kind: 'StatefulSet', name: 'signalbox-runner' },
  ]);
  expect((await bed.untilFinished(id)).status).toBe('success');
  expect(await bed.log(id)).toContain('user 1000');

  const runner = { name: 'signalbox-runner-0', namespace };
  const before = await bed.core.readNamespacedPod(runner);
  await bed.core.deleteNamespacedPod(runner);
  await until(async () => {
    const after = await bed.core.readNamespacedPod(runner).catch(() => null);
    return after !== null && after.metadata?.uid !== before.metadata?.uid;
  });
  const again = await bed.launch(await bed.addScript('true\n'));
  expect((await bed.untilFinished(again)).status).toBe('success');
});
