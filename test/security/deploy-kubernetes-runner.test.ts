// Checks the manifests of the runner whose tasks run in pods of Kubernetes: against the types of its API, by the runner's
// own rules for settings, and against each other. So pods.md of the guide says it.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/server/config/config.ts';
import { checkManifests, type Manifest, manifestsIn, settingNames } from '../helpers/manifests.ts';
import { folder } from '../helpers/seed.ts';

const namespace = 'signalbox-tasks';
const name = 'signalbox-runner';
const documents = manifestsIn('deploy/kubernetes/runner');
const all = [...documents.values()].flat();

const only = (kind: string): Manifest => {
  const found = all.filter((one) => one.kind === kind);
  expect(found.map((one) => one.kind)).toEqual([kind]);
  return found[0] as Manifest;
};

interface Runner extends Manifest {
  spec: {
    replicas: number;
    serviceName: string;
    selector: { matchLabels: object };
    volumeClaimTemplates: { metadata: { name: string } }[];
    template: {
      metadata: { labels: object };
      spec: {
        serviceAccountName: string;
        containers: {
          image: string;
          env: { name: string; value: string }[];
          volumeMounts: { name: string; mountPath: string }[];
        }[];
        volumes: { name: string; secret?: { secretName: string } }[];
      };
    };
  };
}

const runner = (): Runner => only('StatefulSet') as Runner;

test('every manifest is of the API of Kubernetes, and in the namespace of tasks', async () => {
  expect([...documents.keys()]).toEqual(
    ['account', 'namespace', 'network-policy', 'runner', 'secret.example'].map(
      (file) => `${file}.yaml`,
    ),
  );
  expect(await checkManifests(all)).toEqual([]);
  const namespaces = all.filter(({ kind }) => kind !== 'Namespace').map((one) => one.metadata);
  expect(new Set(namespaces.map((one) => one.namespace))).toEqual(new Set([namespace]));
  expect(only('Namespace').metadata).toMatchObject({
    name: namespace,
    labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
  });
});

test('a verb that is no list and a misspelt field of a role are found', async () => {
  const text = JSON.stringify(only('Role'));
  const mistakes = [
    text.replace('"verbs":["get","create"]', '"verbs":"get"'),
    text.replace('"resources"', '"resource"'),
  ];
  expect(mistakes).not.toContain(text);
  const found = await checkManifests(mistakes.map((mistake) => JSON.parse(mistake) as Manifest));
  expect(new Set(found.map(([index]) => index))).toEqual(new Set([0, 1]));
});

test('the runner may only make, follow and end pods, and start programs in them', () => {
  expect(only('Role')).toMatchObject({
    metadata: { name },
    rules: [
      { resources: ['pods'], verbs: ['get', 'list', 'watch', 'create', 'delete'] },
      { resources: ['pods/exec'], verbs: ['get', 'create'] },
    ],
  });
  expect(only('RoleBinding')).toMatchObject({
    roleRef: { kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  });
  expect(only('ServiceAccount').metadata.name).toBe(name);
  expect(runner().spec.template.spec.serviceAccountName).toBe(name);
});

test('the level restricted admits the runner, whose root cannot be written', () => {
  expect(runner().spec.template.spec).toMatchObject({
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      fsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      },
    ],
  });
});

test('the runner accepts the settings, and makes its pods with its own image', async () => {
  const place = await folder();
  const [container] = runner().spec.template.spec.containers;
  const variables = Object.fromEntries((container?.env ?? []).map((one) => [one.name, one.value]));
  expect(Object.keys(variables).filter((one) => !settingNames.has(one))).toEqual([]);
  expect(variables['SIGNALBOX_KUBERNETES_IMAGE']).toBe(container?.image);
  await writeFile(join(place, 'runner_token'), `sbr_${'a'.repeat(43)}`);
  const inPlace = Object.entries(variables).map(([setting, value]) => [
    setting,
    value.replace('/run/secrets/signalbox', place),
  ]);
  const ofPod = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };
  const config = loadConfig({ ...Object.fromEntries(inPlace), ...ofPod } as Record<string, string>);
  expect(config).toMatchObject({ runAs: [], maxParallelTasks: 20 });
});

test('what is named is there: volumes, service, secret and labels', () => {
  const { spec } = runner();
  const { containers, volumes } = spec.template.spec;
  const claims = spec.volumeClaimTemplates.map(({ metadata }) => metadata.name);
  expect(spec.replicas).toBe(1);
  expect(claims).toEqual(['data']);
  const mounts = containers.flatMap(({ volumeMounts }) => volumeMounts.map((one) => one.name));
  expect(new Set(mounts)).toEqual(new Set([...claims, ...volumes.map((one) => one.name)]));
  expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
  expect(only('Service')).toMatchObject({
    metadata: { name: spec.serviceName },
    spec: { selector: spec.selector.matchLabels },
  });
  const secrets = volumes.flatMap(({ secret }) => (secret ? [secret.secretName] : []));
  expect(secrets).toEqual([only('Secret').metadata.name]);
  expect(only('Secret')).toHaveProperty('stringData.runner_token');
});

test('nothing reaches the pods of the namespace, and they reach everything', () => {
  expect(only('NetworkPolicy')).toMatchObject({
    spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'], egress: [{}] },
  });
  expect(only('NetworkPolicy')).not.toHaveProperty('spec.ingress');
});
