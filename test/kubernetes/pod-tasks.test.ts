// Tasks in pods of a real cluster.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../helpers/until.ts';
import type { Cluster } from './cluster/cluster.ts';
import { ansibleImage, imageWithoutShell } from './cluster/images.ts';
import { theCluster } from './cluster/the-cluster.ts';
import { startInstallation, type Installation } from './product/installation.ts';

let cluster: Cluster;
let bed: Installation;

beforeAll(async () => {
  cluster = theCluster();
  bed = await startInstallation(cluster, { SIGNALBOX_KUBERNETES_START_SECONDS: '30' });
}, 1_800_000);

afterAll(() => bed.stop(), 120_000);

const untilNoPods = () => until(async () => (await bed.pods()).length === 0);

async function run(script: string, environment?: object, options?: object) {
  const id = await bed.launch(await bed.addScript(script, environment), options);
  const task = await bed.untilFinished(id);
  return { task, log: await bed.log(id) };
}

test('a script runs in the image of its environment, as its user, and its pod is removed', async () => {
  const { task, log } = await run('echo "user $(id -u)"; ls; exit 3\n', { user: '1234:1234' });
  expect(log).toContain('user 1234');
  expect(log).toContain('run.sh');
  expect(task.status).toBe('error');
  expect(task.failure).toMatchObject({ code: 'failure.exit_code', params: { code: 3 } });
  const { name, digest } = task.tools?.image ?? {};
  expect([name, digest]).toEqual([ansibleImage, expect.stringMatching(/^sha256:/)]);
  await untilNoPods();
});

test('a playbook runs with the Ansible of its image, and reports its hosts', async () => {
  const playbook =
    '[{ hosts: all, tasks: [{ command: id -u, register: who }, { debug: { var: who.stdout } }] }]\n';
  const template = await bed.addTemplate(
    { 'play.yml': playbook },
    { name: 'Play', app: 'ansible', playbook: 'play.yml', inventory_id: await localInventory() },
    { image: ansibleImage },
  );
  const id = await bed.launch(template);
  const task = await bed.untilFinished(id);
  expect(await bed.log(id)).toContain('"who.stdout": "1000"');
  expect(task.status).toBe('success');
  const hosts = await bed.call<object[]>('GET', `${bed.project}/tasks/${id}/hosts`);
  expect(hosts).toMatchObject([{ host: 'localhost' }]);
});

let inventories = 0;

async function localInventory(): Promise<number> {
  inventories += 1;
  const body = {
    name: `Local ${inventories}`,
    type: 'static',
    inventory: 'localhost ansible_connection=local\n',
  };
  return (await bed.call<{ id: number }>('POST', `${bed.project}/inventory`, body)).id;
}

test('a stop lets the program end by itself; a forced one does not wait', async () => {
  const gentle = "trap 'sleep 1; echo saved; exit' TERM; echo begun; while :; do sleep 0.1; done\n";
  const first = await bed.launch(await bed.addScript(gentle));
  await bed.untilLogged(first, '\nbegun');
  await bed.call('POST', `${bed.project}/tasks/${first}/stop`, {});
  expect((await bed.untilFinished(first)).status).toBe('stopped');
  expect(await bed.log(first)).toContain('saved');

  const stubborn = "trap '' TERM; echo begun; while :; do sleep 0.1; done\n";
  const second = await bed.launch(await bed.addScript(stubborn));
  await bed.untilLogged(second, '\nbegun');
  const since = performance.now();
  await bed.call('POST', `${bed.project}/tasks/${second}/stop`, { force: true });
  expect((await bed.untilFinished(second)).status).toBe('stopped');
  expect(performance.now() - since).toBeLessThan(15_000);
  await untilNoPods();
});

test('a program that takes too much memory is told so', async () => {
  const { task } = await run(`exec python3 -c 'print(len("x" * 10**9))'\n`, {
    memory_limit_mib: 32,
  });
  expect(task.failure).toMatchObject({ code: 'failure.memory_limit', params: { mib: 32 } });
});

test.each([
  ['that does not exist', { image: 'localhost/nowhere:1' }, 'failure.pod_image'],
  ['without a shell', { image: imageWithoutShell }, 'failure.pod_start'],
  ['for a node that is not there', { node_labels: ['disk=none'] }, 'failure.pod_unschedulable'],
  ['with more than any node has', { memory_request_mib: 9_000_000 }, 'failure.pod_unschedulable'],
  ['with an account that is not allowed', { service_account: 'other' }, 'failure.container_option'],
])('a pod %s says what to do', async (_words, environment, code) => {
  const { task } = await run('true\n', environment);
  expect(task.failure?.code).toBe(code);
  await untilNoPods();
});

test('a task whose pod is deleted ends with the reason', async () => {
  const id = await bed.launch(await bed.addScript('echo begun; sleep 1000\n'));
  await bed.untilLogged(id, '\nbegun');
  const [pod] = await bed.pods();
  await bed.core.deleteNamespacedPod({
    name: pod?.metadata?.name ?? '',
    namespace: bed.namespace,
  });
  const task = await bed.untilFinished(id);
  expect(task.failure?.code).toBe('failure.pod_lost');
  await untilNoPods();
});

test('a task outlives restarts of runner and server, with its whole log', async () => {
  const script = 'for n in 1 2 3 4 5 6 7 8 9 10; do echo "line $n"; sleep 1; done\n';
  const id = await bed.launch(await bed.addScript(script));
  await bed.untilLogged(id, 'line 2');
  await bed.runner.kill();
  await bed.server.kill();
  await bed.server.start();
  await bed.runner.start();
  const task = await bed.untilFinished(id);
  expect(task.status).toBe('success');
  const lines = (await bed.log(id)).split('\n').filter((line) => line.startsWith('line '));
  expect(lines).toEqual(Array.from({ length: 10 }, (_none, index) => `line ${index + 1}`));
  await untilNoPods();
});

test('no description of a pod has a secret', async () => {
  const template = await bed.addTemplate(
    { 'run.sh': 'echo begun; for a; do echo "$a" | head -c 3; done; sleep 5\n' },
    {
      name: 'Secret',
      app: 'bash',
      playbook: 'run.sh',
      survey_vars: [{ name: 'token', title: 'Token', type: 'secret', required: true }],
    },
  );
  const id = await bed.launch(template, { secret: JSON.stringify({ token: 'canary-in-a-pod' }) });
  await bed.untilLogged(id, '\nbegun');
  const [pod] = await bed.pods();
  const text = JSON.stringify(pod);
  expect(text).not.toContain('canary');
  expect(text).not.toContain('sbt_');
  await bed.untilFinished(id);
});
