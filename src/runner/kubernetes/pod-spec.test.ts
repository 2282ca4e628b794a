// Tests the description of a pod, as the cluster gets it.

import { expect, test } from 'vitest';
import { toolsEnvironment } from '../../../test/runner/execution-environment.ts';
import { mainScript } from '../pods/main-script.ts';
import { noLimits } from '../programs/task-limits.ts';
import { podFor, podName } from './pod-spec.ts';

const config = {
  configFile: null,
  namespace: 'tasks',
  image: 'registry.example.com/signalbox:1',
  serverUrl: null,
  serviceAccounts: [],
  userNamespaces: false,
  startSeconds: 600,
};
const task = { id: 7, lease: 2, project_id: 3, template_id: 4 };

const podWith = (change: object, limits = noLimits, settings = {}) =>
  podFor({
    config: { ...config, ...settings },
    runner: 'abc',
    name: podName({ runner: 'abc', task }),
    owner: null,
    task,
    limits,
    execution: toolsEnvironment({ kind: 'pod', image: 'tools:1', ...change }),
  });

test('a pod has what its execution environment says', () => {
  const { metadata, spec } = podWith(
    {
      user: '1234:0',
      pull: 'always',
      cpu_request_percent: 50,
      memory_request_mib: 64,
      node_labels: ['disk=ssd', 'zone='],
      tolerations: ['gpu=yes:NoSchedule', 'spot', 'late:NoExecute'],
      service_account: 'deployer',
      pod_labels: ['team=one'],
      pull_secrets: ['registry'],
    },
    { memoryMib: 128, cpuPercent: 150, processes: 0 },
    { userNamespaces: true },
  );
  expect(metadata?.name).toBe('signalbox-abc-7-2');
  expect(metadata?.labels).toMatchObject({ team: 'one', 'signalbox.dev/task': '7' });
  expect(spec).toMatchObject({
    hostUsers: false,
    serviceAccountName: 'deployer',
    automountServiceAccountToken: true,
    securityContext: { runAsNonRoot: true, runAsUser: 1234, runAsGroup: 0, fsGroup: 0 },
    nodeSelector: { disk: 'ssd', zone: '' },
    tolerations: [
      { key: 'gpu', operator: 'Equal', value: 'yes', effect: 'NoSchedule' },
      { key: 'spot', operator: 'Exists' },
      { key: 'late', operator: 'Exists', effect: 'NoExecute' },
    ],
    imagePullSecrets: [{ name: 'registry' }],
  });
  expect(spec?.containers[1]).toMatchObject({
    image: 'tools:1',
    imagePullPolicy: 'Always',
    resources: {
      requests: { cpu: '500m', memory: '64Mi' },
      limits: { cpu: '1500m', memory: '128Mi' },
    },
  });
});

test('without any of that it has no rights, no limits and the usual user', () => {
  const { spec } = podWith({});
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsUser: 1000, runAsGroup: 1000 },
    nodeSelector: {},
    tolerations: [],
  });
  expect(spec).not.toHaveProperty('hostUsers');
  expect(spec).not.toHaveProperty('serviceAccountName');
  expect(spec?.containers[1]?.resources).toEqual({ requests: {}, limits: {} });
});

test('the cluster replaces nothing in the script of the main container', () => {
  const [, , script = ''] = podWith({}).spec?.containers[1]?.command ?? [];
  // As kubelet does: two dollars become one, and one before a bracket begins the name of a variable.
  expect(script.replaceAll('$$', () => '$')).toBe(mainScript('/signalbox/main'));
  expect(script.replaceAll('$$', '')).not.toContain('$');
});
