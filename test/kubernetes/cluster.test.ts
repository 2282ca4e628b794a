// The cluster of these tests does what the tests of pods rely on.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Account } from './cluster/accounts.ts';
import type { Cluster } from './cluster/cluster.ts';
import { ansibleImage, imageWithoutShell, signalboxImage, smallImage } from './cluster/images.ts';
import { onSimulatedNode } from './cluster/simulated-nodes.ts';
import { theCluster } from './cluster/the-cluster.ts';
import { podsOf, restrictedPod, shell } from './pods.ts';

/** What the runner of pods may do, and nothing more. */
const rules = [
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch', 'create', 'delete'] },
  { apiGroups: [''], resources: ['pods/exec'], verbs: ['get', 'create'] },
  { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
];

const forever = shell('trap "exit 0" TERM; while :; do sleep 1; done');

let cluster: Cluster;
let account: Account;
let pods: ReturnType<typeof podsOf>;

beforeAll(async () => {
  cluster = theCluster();
  account = await cluster.account(rules);
  pods = podsOf(account);
});

test('an account makes, reads and deletes pods in its namespace, and nothing else', async () => {
  await pods.create(restrictedPod('hello', { main: shell('id -u; exit 3') }));
  const { exitCode } = await pods.untilEnded('hello', 'main');
  expect(exitCode).toBe(3);
  expect(await pods.log('hello', 'main')).toBe('1000\n');
  await pods.remove('hello');
  await pods.untilGone('hello');
  const { namespace, core } = pods;
  const refused = [
    () => core.listNamespacedSecret({ namespace }),
    () => core.listNamespacedPod({ namespace: 'default' }),
    () => core.listNamespacedEvent({ namespace }),
    () => core.patchNamespacedPod({ namespace, name: 'hello', body: [] }),
  ];
  for (const request of refused) await expect(request()).rejects.toMatchObject({ code: 403 });
});

test('a pod that may gain privileges is refused by the namespace', async () => {
  const pod = restrictedPod('bold', { main: { ...forever, securityContext: {} } });
  await expect(pods.create(pod)).rejects.toMatchObject({
    code: 403,
    body: expect.stringContaining('violates PodSecurity \\"restricted:latest\\"'),
  });
});

test('a command gets its input in a container, and its exit code comes back', async () => {
  await pods.create(restrictedPod('exec', { main: forever }));
  await pods.untilRunning('exec', 'main');
  const input = 'a line\n'.repeat(10_000);
  const { output, errors, status } = await pods.exec(
    'exec',
    'main',
    ['sh', '-c', 'head -c 70000; echo wrong >&2; exit 5'],
    input,
  );
  expect(output).toBe(input);
  expect(errors).toBe('wrong\n');
  expect(status.details?.causes).toEqual([{ reason: 'ExitCode', message: '5' }]);
  await pods.remove('exec');
});

test('containers share a folder, memory files and processes', async () => {
  const volumeMounts = [
    { name: 'work', mountPath: '/work' },
    { name: 'memory', mountPath: '/dev/shm' },
  ];
  const main = 'until [ -e /work/pid ]; do sleep 0.1; done; cat /dev/shm/secret; sleep 1000';
  const helper =
    'echo word >/dev/shm/secret; sleep 1000 & echo $! >/work/pid; wait $!; echo "ended by $?"; sleep 1000';
  const containers = {
    main: { ...shell(main), volumeMounts },
    helper: { ...shell(helper), volumeMounts },
  };
  await pods.create(
    restrictedPod('shared', containers, {
      shareProcessNamespace: true,
      volumes: [
        { name: 'work', emptyDir: {} },
        { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: '16Mi' } },
      ],
    }),
  );
  await pods.untilRunning('shared', 'helper');
  await pods.untilRunning('shared', 'main');
  const { output: mounts } = await pods.exec('shared', 'main', ['cat', '/proc/mounts']);
  expect(mounts).toMatch(/^tmpfs \/dev\/shm tmpfs .*size=16384k/m);
  await expect.poll(() => pods.log('shared', 'main'), { timeout: 120_000 }).toBe('word\n');
  const signal = 'pid=$(cat /work/pid); cat /proc/$pid/comm; kill -TERM $pid';
  const { output } = await pods.exec('shared', 'main', ['sh', '-c', signal]);
  expect(output).toBe('sleep\n');
  await expect
    .poll(() => pods.log('shared', 'helper'), { timeout: 120_000 })
    .toContain('ended by 143\n');
  await pods.remove('shared');
});

test('a container that takes more memory than its limit is killed', async () => {
  const greedy = shell('tail -c 1000000000 /dev/zero');
  await pods.create(
    restrictedPod('greedy', { main: { ...greedy, resources: { limits: { memory: '24Mi' } } } }),
  );
  expect(await pods.untilEnded('greedy', 'main')).toMatchObject({
    reason: 'OOMKilled',
    exitCode: 137,
  });
});

test('a container goes on without the kubelet, which finds it again', async () => {
  await pods.create(
    restrictedPod('lonely', { main: shell('n=0; while :; do echo $n; n=$((n+1)); sleep 1; done') }),
  );
  await pods.untilRunning('lonely', 'main');
  await cluster.kill('kubelet');
  await expect(pods.log('lonely', 'main')).rejects.toMatchObject({ code: 500 });
  await pods.remove('lonely');
  expect((await pods.read('lonely')).metadata?.deletionTimestamp).toBeDefined();
  await cluster.start('kubelet');
  await pods.untilGone('lonely');
});

test('a container goes on without the API server', async () => {
  const counts = 'for n in 1 2 3 4 5 6 7 8 9; do echo $n; sleep 0.3; done';
  await pods.create(restrictedPod('cut-off', { main: shell(counts) }));
  await pods.untilRunning('cut-off', 'main');
  await cluster.kill('apiserver');
  await expect(pods.read('cut-off')).rejects.toMatchObject({ message: 'fetch failed' });
  await cluster.start('apiserver');
  expect(await pods.untilEnded('cut-off', 'main')).toMatchObject({ exitCode: 0 });
  expect(await pods.log('cut-off', 'main')).toBe('1\n2\n3\n4\n5\n6\n7\n8\n9\n');
});

test('a pod reaches a server of this machine', async () => {
  const server = createServer((_, response) => response.end('hello from outside'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = await cluster.reachable((server.address() as AddressInfo).port);
  await pods.create(restrictedPod('caller', { main: shell(`wget -q -O - ${address}`) }));
  expect(await pods.untilEnded('caller', 'main')).toMatchObject({ exitCode: 0 });
  expect(await pods.log('caller', 'main')).toBe('hello from outside');
});

test('a pod runs on a simulated node', async () => {
  await cluster.simulatedNodes(2);
  const pod = restrictedPod('simulated', { main: forever }, onSimulatedNode);
  await pods.create(pod);
  await pods.untilRunning('simulated', 'main');
  expect((await pods.read('simulated')).spec?.nodeName).toMatch(/^simulated-/);
  await pods.remove('simulated');
  await pods.untilGone('simulated');
});

test.each([
  [signalboxImage, ['signalbox', '--version']],
  [signalboxImage, ['git', '--version']],
  [ansibleImage, ['ansible-playbook', '--version']],
  [smallImage, ['sh', '-c', 'true']],
])('%s runs %s', async (image, command) => {
  const name = `image-${command[0]}`;
  // The image does not know the user of the pod, and Ansible asks for a home and a name.
  const env = [
    { name: 'HOME', value: '/tmp' },
    { name: 'USER', value: 'runner' },
  ];
  await pods.create(restrictedPod(name, { main: { image, command, env } }));
  const end = await pods.untilEnded(name, 'main');
  expect([end.exitCode, await pods.log(name, 'main')]).toEqual([0, expect.any(String)]);
});

test('an image has no shell', async () => {
  const image = imageWithoutShell;
  await pods.create(restrictedPod('bare', { main: { image, command: ['sleep', '1000'] } }));
  await pods.untilRunning('bare', 'main');
  const { status } = await pods.exec('bare', 'main', ['sh', '-c', 'true']);
  expect(status).toMatchObject({ status: 'Failure' });
  expect(status.message).toContain('sh');
  await pods.remove('bare');
});
