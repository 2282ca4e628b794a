// Tests what the status of a pod means, with what kubelet of 1.37 reports.

import { expect, test } from 'vitest';
import type { Pod } from './cluster.ts';
import {
  endFailure,
  hasStartError,
  mainDigest,
  startFailure,
  whyUnscheduled,
  whyWaiting,
} from './pod-state.ts';

type Status = NonNullable<Pod['status']>;
type State = NonNullable<NonNullable<Status['containerStatuses']>[number]['state']>;
type States = { 'side-car'?: State; task?: State };

const podWith = (states: States, status: Partial<Status> = {}): Pod => ({
  status: {
    ...(status as object),
    containerStatuses: Object.entries(states).map(([name, state]) => ({
      name,
      state,
      image: 'image',
      imageID: 'docker.io/library/image@sha256:12',
      ready: false,
      restartCount: 0,
    })),
  },
});

const task = { image: 'tools:1', program: 'ansible-playbook', memoryMib: 64, url: 'https://s' };
const waiting = (reason: string, message: string): State => ({ waiting: { reason, message } });
const ended = (exitCode: number, reason: string, message?: string): State => ({
  terminated: { exitCode, reason, ...(message !== undefined && { message }) },
});

test.each([
  ['ErrImageNeverPull', 'failure.pod_image', false],
  ['InvalidImageName', 'failure.pod_image', false],
  ['ImagePullBackOff', 'failure.pod_image', true],
  ['CreateContainerConfigError', 'failure.pod_start', true],
])('a main container that waits with %s fails with %s', (reason, code, isPassing) => {
  const pod = podWith({ 'side-car': { running: {} }, task: waiting(reason, 'words') });
  expect(startFailure(pod, 'tools:1')).toEqual({
    failure: { code, params: { image: 'tools:1', reason: 'words' } },
    isPassing,
  });
});

test('an image of the side-car that cannot be pulled is told as such', () => {
  const pod = podWith({ 'side-car': waiting('ErrImagePull', 'not found') });
  expect(startFailure(pod, 'tools:1')?.failure).toEqual({
    code: 'failure.pod_runner_image',
    params: { reason: 'not found' },
  });
  expect(startFailure(podWith({ task: waiting('ContainerCreating', '') }), 'tools:1')).toBeNull();
});

const drained = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
};

test('a pod that is drained has time to end', () => {
  const states = { 'side-car': { running: {} }, task: { running: {} } };
  expect(endFailure(podWith(states, { conditions: [drained] }), task)).toBeNull();
});

test.each<[string, Pod, object]>([
  [
    'evicted',
    podWith({}, { phase: 'Failed', reason: 'Evicted', message: 'low on memory' }),
    { code: 'failure.pod_evicted', params: { reason: 'low on memory' } },
  ],
  [
    'over its deadline',
    podWith({}, { phase: 'Failed', reason: 'DeadlineExceeded' }),
    { code: 'failure.pod_deadline', params: {} },
  ],
  [
    'that is drained, when its programs have ended',
    podWith({ 'side-car': { running: {} }, task: ended(143, 'Error') }, { conditions: [drained] }),
    { code: 'failure.pod_disrupted', params: { reason: 'Eviction API: evicting' } },
  ],
  [
    'killed for memory',
    podWith({ 'side-car': { running: {} }, task: ended(137, 'OOMKilled') }),
    { code: 'failure.memory_limit', params: { program: 'ansible-playbook', mib: 64 } },
  ],
  [
    'without a shell',
    podWith({ task: ended(128, 'StartError', 'exec: "/bin/sh": no such file') }),
    {
      code: 'failure.pod_start',
      params: { image: 'tools:1', reason: 'exec: "/bin/sh": no such file' },
    },
  ],
  [
    'whose side-car does not reach the server',
    podWith({ 'side-car': ended(3, 'Error', 'refused'), task: { running: {} } }),
    { code: 'failure.pod_server', params: { url: 'https://s', reason: 'refused' } },
  ],
  [
    'whose side-car has another version',
    podWith({ 'side-car': ended(1, 'Error', 'its image has the version 2') }),
    { code: 'failure.pod_runner_image', params: { reason: 'its image has the version 2' } },
  ],
  [
    'refused by its node',
    podWith({}, { phase: 'Failed', reason: 'OutOfcpu', message: 'Node has no cpu' }),
    { code: 'failure.pod_lost', params: { reason: 'OutOfcpu: Node has no cpu' } },
  ],
])('a pod %s says why', (_words, pod, failure) => {
  expect(endFailure(pod, task)).toEqual(failure);
});

test.each([
  ['side-car', { 'side-car': ended(128, 'StartError') }, true],
  ['main container', { task: ended(128, 'StartError') }, true],
  ['program', { 'side-car': ended(1, 'Error'), task: ended(137, 'OOMKilled') }, false],
])(
  'a %s that has not started lets the task start again, not one that has',
  (_words, states, is) => {
    expect(hasStartError(podWith(states))).toBe(is);
  },
);

test('a deleted pod that stays is lost with its node', () => {
  const deletedAt = (ms: number): Pod => ({
    status: podWith({ 'side-car': { running: {} }, task: { running: {} } }).status as object,
    metadata: { deletionTimestamp: new Date(Date.now() - ms) },
  });
  expect(endFailure(deletedAt(1000), task)).toBeNull();
  expect(endFailure(deletedAt(120_000), task)).toEqual({
    code: 'failure.pod_lost',
    params: { reason: 'its node does not answer' },
  });
});

test('a pod that runs has no failure, and names the digest of its image', () => {
  const pod = podWith({ 'side-car': { running: {} }, task: { running: {} } }, { phase: 'Running' });
  expect(endFailure(pod, task)).toBeNull();
  expect(startFailure(pod, 'tools:1')).toBeNull();
  expect(mainDigest(pod)).toBe('sha256:12');
});

test('why a pod waits is what the scheduler or kubelet says', () => {
  const conditions = [
    { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' },
  ];
  expect(whyUnscheduled(podWith({}, { conditions }))).toBe('0/3 nodes');
  expect(whyUnscheduled({ spec: { containers: [], nodeName: 'one' } })).toBeNull();
  expect(whyWaiting(podWith({ task: waiting('ContainerCreating', '') }))).toBe('ContainerCreating');
  expect(whyWaiting({})).toBe('its node has not reported');
});
