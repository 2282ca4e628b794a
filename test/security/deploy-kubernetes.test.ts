// Checks the manifests for Kubernetes: against the types of its API, in which a field that does not
// exist is an error, by the server's own rules for settings, and against each other. So
// kubernetes.md of the guide says it.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/server/config/config.ts';
import { checkManifests, type Manifest, manifestsIn, settingNames } from '../helpers/manifests.ts';
import { folder } from '../helpers/seed.ts';

interface Variable {
  name: string;
  value: string;
}

interface Container {
  name: string;
  image: string;
  command?: string[];
  env?: Variable[];
  ports?: { name: string }[];
  securityContext: {
    readOnlyRootFilesystem: boolean;
    allowPrivilegeEscalation: boolean;
    capabilities: { drop: string[]; add?: string[] };
  };
  volumeMounts: { name: string; mountPath: string }[];
  resources: { requests: object; limits: { memory: string } };
  startupProbe?: { httpGet: { path: string; port: string } };
  livenessProbe?: { httpGet: { path: string; port: string } };
  readinessProbe?: { httpGet?: { path: string; port: string } };
}

interface Pod {
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  terminationGracePeriodSeconds: number;
  securityContext: { seccompProfile: { type: string } };
  initContainers?: Container[];
  containers: [Container];
  volumes: { name: string; secret?: { secretName: string } }[];
}

type Labels = Record<string, string>;

interface Workload extends Manifest {
  spec: {
    replicas: number;
    serviceName?: string;
    selector: { matchLabels: Labels };
    updateStrategy?: { type: string };
    volumeClaimTemplates?: { metadata: { name: string } }[];
    template: { metadata: { labels: Labels }; spec: Pod };
  };
}

const documents = manifestsIn('deploy/kubernetes');
const all = [...documents.values()].flat();

const ofKind = <T extends Manifest>(...kinds: string[]): T[] =>
  all.filter(({ kind }) => kinds.includes(kind)) as T[];

const workloads = ofKind<Workload>('Deployment', 'StatefulSet');
const servers = workloads.filter(({ metadata }) => metadata.name !== 'database');
const podOf = ({ spec }: Workload): Pod => spec.template.spec;

const config = ofKind<Manifest & { data: Record<string, string> }>('ConfigMap')[0]?.data ?? {};

test('every manifest is of the API of Kubernetes, and in the namespace', async () => {
  expect([...documents.keys()]).toEqual(
    'config ingress namespace network-policy one-server postgresql secret.example several-servers'
      .split(' ')
      .map((name) => `${name}.yaml`),
  );
  expect(await checkManifests(all)).toEqual([]);
  const outside = all.filter(
    ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'signalbox',
  );
  expect(outside).toEqual([]);
});

test('a misspelt field, a value of another type and an unknown kind are found', async () => {
  const text = JSON.stringify(documents.get('one-server.yaml')?.at(-1));
  const mistakes: [string, string][] = [
    ['"livenessProbe"', '"livenesProbe"'],
    ['"readOnlyRootFilesystem"', '"readonlyRootFilesystem"'],
    ['"serviceName"', '"service"'],
    ['"replicas":1', '"replicas":"1"'],
    ['"kind":"StatefulSet"', '"kind":"StatefullSet"'],
    ['"apiVersion":"apps/v1",', ''],
  ];
  for (const [from] of mistakes) expect(text).toContain(from);
  const spoilt = mistakes.map(([from, to]) => JSON.parse(text.replace(from, to)) as Manifest);
  const found = await checkManifests([...spoilt, JSON.parse(text) as Manifest]);
  expect(new Set(found.map(([index]) => index))).toEqual(new Set(mistakes.keys()));
  const said = found.map(([, message]) => message).join('\n');
  for (const word of ['livenesProbe', 'readonlyRootFilesystem', 'service', 'StatefullSet']) {
    expect(said).toContain(word);
  }
});

test('the server takes the settings, and each file that they name is in the secret', async () => {
  const place = await folder();
  const [secret] = ofKind<Manifest & { stringData: Record<string, string> }>('Secret');
  const values: Record<string, string> = {
    master_key: Buffer.alloc(32, 7).toString('base64'),
    admin_password: 'a long password',
    database_url: 'postgres://signalbox:secret@database/signalbox',
  };
  expect(Object.keys(secret?.stringData ?? {})).toEqual(Object.keys(values));
  for (const [name, value] of Object.entries(values)) await writeFile(join(place, name), value);
  const roles: string[] = [];
  for (const workload of servers) {
    const own = (podOf(workload).containers[0].env ?? []).map(({ name, value }) => [name, value]);
    const variables = { ...config, ...(Object.fromEntries(own) as Record<string, string>) };
    expect(Object.keys(variables).filter((name) => !settingNames.has(name))).toEqual([]);
    const inPlace = Object.entries(variables).map(([name, value]) => [
      name,
      value.replace('/run/secrets/signalbox', place),
    ]);
    const { role, drainSeconds } = loadConfig(
      Object.fromEntries(inPlace) as Record<string, string>,
    );
    roles.push(role);
    // Kubernetes kills what has not ended by then; a server needs seconds after it has drained.
    expect(podOf(workload).terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drainSeconds + 30);
  }
  expect(roles.toSorted()).toEqual(['all', 'runner', 'web']);
});

test('a server has seven capabilities, a root that cannot be written and no token of the cluster', () => {
  const seven = ['SETUID', 'SETGID', 'CHOWN', 'FOWNER', 'DAC_OVERRIDE', 'KILL', 'SETPCAP'];
  for (const workload of workloads) {
    const pod = podOf(workload);
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    expect(pod.securityContext.seccompProfile).toEqual({ type: 'RuntimeDefault' });
    for (const { securityContext, resources, command } of [
      ...(pod.initContainers ?? []),
      ...pod.containers,
    ]) {
      expect(securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
      expect(resources.limits.memory).toMatch(/^\d+[MG]i$/);
      const given = securityContext.capabilities.add ?? [];
      const allowed = servers.includes(workload) ? seven : [];
      expect(given.filter((one) => !allowed.includes(one))).toEqual([]);
      const needed = servers.includes(workload) && !command ? seven : given;
      expect(given).toEqual(needed);
    }
  }
});

test('a server is restarted when it does not answer, and gets requests when it is ready', () => {
  for (const workload of servers) {
    const [container] = podOf(workload).containers;
    const asks = ({ startupProbe, livenessProbe, readinessProbe }: Container) =>
      [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet);
    expect(asks(container)).toEqual([
      { path: '/healthz', port: 'http' },
      { path: '/healthz', port: 'http' },
      { path: '/readyz', port: 'http' },
    ]);
    const writable = container.volumeMounts.map(({ mountPath }) => mountPath);
    expect(writable).toEqual(['/data', '/home', '/tmp', '/dev/shm', '/run/secrets/signalbox']);
  }
});

test('what is named is there: volumes, services, secrets, ports and labels', () => {
  const services = ofKind<
    Manifest & { spec: { selector: Labels; ports: { targetPort: string }[] } }
  >('Service');
  for (const workload of workloads) {
    const { spec } = workload;
    const pod = podOf(workload);
    const claims = (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name);
    const volumes = new Set([...claims, ...pod.volumes.map(({ name }) => name)]);
    const used = [...(pod.initContainers ?? []), ...pod.containers].flatMap(
      ({ volumeMounts }) => volumeMounts,
    );
    expect(new Set(used.map(({ name }) => name))).toEqual(volumes);
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    const named = spec.serviceName === undefined ? [] : [spec.serviceName];
    expect(services.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(named));
    const secrets = pod.volumes.flatMap(({ secret }) => (secret ? [secret.secretName] : []));
    expect(['signalbox', 'database']).toEqual(expect.arrayContaining(secrets));
  }
  for (const { spec } of services) {
    const reached = workloads.filter(({ spec: { template } }) =>
      Object.entries(spec.selector).every(
        ([name, value]) => template.metadata.labels[name] === value,
      ),
    );
    expect(reached).toHaveLength(1);
    const ports = reached.flatMap((workload) => podOf(workload).containers[0].ports ?? []);
    expect(ports.map(({ name }) => name)).toEqual(spec.ports.map(({ targetPort }) => targetPort));
  }
});

test('SQLite has one server, and the runners keep their data folders', () => {
  const one = documents.get('one-server.yaml')?.find(({ kind }) => kind === 'StatefulSet');
  expect(one).toMatchObject({ spec: { replicas: 1 } });
  const runner = servers.find(({ metadata }) => metadata.name === 'runner');
  expect(runner?.spec.volumeClaimTemplates?.map(({ metadata }) => metadata.name)).toEqual(['data']);
  // A new version must not end the tasks of a runner by itself.
  expect(runner?.spec.updateStrategy).toEqual({ type: 'OnDelete' });
});
