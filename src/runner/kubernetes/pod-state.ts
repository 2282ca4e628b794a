// What the status of a pod means for its task.

import type { Failure } from '#shared/catalogue/task-failures.ts';
import { mainName, sideCarName } from '../pods/pod-folders.ts';
import { unreachedCode } from '../side-car/exit-codes.ts';
import type { Pod } from './cluster.ts';

type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];

const statusOf = (pod: Pod, container: string): ContainerStatus | undefined =>
  pod.status?.containerStatuses?.find(({ name }) => name === container);

export const isSideCarRunning = (pod: Pod): boolean =>
  statusOf(pod, sideCarName)?.state?.running !== undefined;

/** Null: it runs or has not started. */
export const sideCarExit = (pod: Pod): number | null =>
  statusOf(pod, sideCarName)?.state?.terminated?.exitCode ?? null;

/** The digest of the image of the main container; null: this does not run. */
export function mainDigest(pod: Pod): string | null {
  const status = statusOf(pod, mainName);
  if (!status?.state?.running) return null;
  const [, digest = ''] = status.imageID.split('@');
  return digest || status.imageID;
}

/** Whether the main container runs or has run. */
export const hasMainStarted = (pod: Pod): boolean => {
  const state = statusOf(pod, mainName)?.state;
  return state?.running !== undefined || state?.terminated !== undefined;
};

const hasMainEnded = (pod: Pod): boolean =>
  statusOf(pod, mainName)?.state?.terminated !== undefined;

/** Whether somebody has deleted the pod. */
export const isDeleted = (pod: Pod): boolean => pod.metadata?.deletionTimestamp !== undefined;

/** How long after its time a deleted pod may still be there. */
const MAX_GONE_MS = 60_000;

/** Whether the pod should be gone for a while: only its node, which is away, could end it. */
function isAbandoned(pod: Pod): boolean {
  const due = pod.metadata?.deletionTimestamp;
  // A text in events, a Date in lists.
  return due !== undefined && Date.now() - new Date(due).getTime() > MAX_GONE_MS;
}

/** Why the pod has no node; null: it has one. */
export function whyUnscheduled(pod: Pod): string | null {
  const found = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (found?.status === 'True' || pod.spec?.nodeName) return null;
  return found?.message ?? found?.reason ?? 'no scheduler has looked at it';
}

/** What a container of the pod waits for. */
export function whyWaiting(pod: Pod): string {
  for (const name of [sideCarName, mainName]) {
    const waiting = statusOf(pod, name)?.state?.waiting;
    if (waiting) return [waiting.reason, waiting.message].filter(Boolean).join(': ');
  }
  return 'its node has not reported';
}

/** Kubelet tries again after the first of these errors, which may be one of the network. */
const imageErrors: Record<string, 'at once' | 'later'> = {
  ErrImageNeverPull: 'at once',
  InvalidImageName: 'at once',
  ErrImagePull: 'later',
  ImagePullBackOff: 'later',
  ImageInspectError: 'later',
  RegistryUnavailable: 'later',
  SignatureValidationFailed: 'later',
};
const startErrors = ['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'];

export interface StartFailure {
  failure: Failure;
  /** Whether waiting may help. */
  isPassing: boolean;
}

/** Why a container of the pod does not start; null: nothing says so. */
export function startFailure(pod: Pod, image: string): StartFailure | null {
  for (const name of [sideCarName, mainName]) {
    const waiting = statusOf(pod, name)?.state?.waiting;
    const { reason: code = '', message } = waiting ?? {};
    const kind = imageErrors[code] ?? (startErrors.includes(code) ? 'later' : null);
    if (kind === null) continue;
    const reason = message ?? code;
    const isPassing = kind === 'later';
    if (name === sideCarName) {
      return { failure: { code: 'failure.pod_runner_image', params: { reason } }, isPassing };
    }
    const ofImage = startErrors.includes(code) ? 'failure.pod_start' : 'failure.pod_image';
    return { failure: { code: ofImage, params: { image, reason } }, isPassing };
  }
  return null;
}

interface EndedTask {
  image: string;
  /** The first program, and its limit; 0: none. */
  program: string;
  memoryMib: number;
  url: string;
}

/** Why the cluster ends the pod, whose containers may still have time to end; null: it does not. */
export function clusterFailure(pod: Pod): Failure | null {
  const { reason, message, conditions } = pod.status ?? {};
  if (reason === 'Evicted')
    return { code: 'failure.pod_evicted', params: { reason: message ?? reason } };
  if (reason === 'DeadlineExceeded') return { code: 'failure.pod_deadline', params: {} };
  const found = conditions?.find(({ type }) => type === 'DisruptionTarget');
  if (found?.status !== 'True') return null;
  const words = found.message ?? found.reason ?? '';
  return { code: 'failure.pod_disrupted', params: { reason: words } };
}

/** Why the pod can no longer run its task; null: it can. */
export function endFailure(pod: Pod, task: EndedTask): Failure | null {
  const { phase, reason, message } = pod.status ?? {};
  const byCluster = clusterFailure(pod);
  if (byCluster && (phase === 'Failed' || hasMainEnded(pod))) return byCluster;
  if (isAbandoned(pod)) {
    return { code: 'failure.pod_lost', params: { reason: 'its node does not answer' } };
  }
  const main = mainFailure(pod, task);
  if (main) return main;
  const sideCar = statusOf(pod, sideCarName)?.state?.terminated;
  if (sideCar && sideCar.exitCode !== 0) return sideCarFailure(sideCar, task);
  if (phase !== 'Failed') return null;
  const words = [reason, message].filter(Boolean).join(': ') || 'its phase is Failed';
  return { code: 'failure.pod_lost', params: { reason: words } };
}

type Terminated = NonNullable<NonNullable<ContainerStatus['state']>['terminated']>;

const isStartError = ({ reason }: Terminated): boolean =>
  reason === 'StartError' || reason === 'ContainerCannotRun';

/** Whether a container could not start, so that nothing of the task has run. */
export const hasStartError = (pod: Pod): boolean =>
  [sideCarName, mainName].some((name) => {
    const ended = statusOf(pod, name)?.state?.terminated;
    return ended !== undefined && isStartError(ended);
  });

function mainFailure(pod: Pod, { image, program, memoryMib }: EndedTask): Failure | null {
  const ended = statusOf(pod, mainName)?.state?.terminated;
  if (!ended) return null;
  if (ended.reason === 'OOMKilled' && memoryMib > 0) {
    return { code: 'failure.memory_limit', params: { program, mib: memoryMib } };
  }
  if (isStartError(ended)) {
    return {
      code: 'failure.pod_start',
      params: { image, reason: ended.message ?? ended.reason ?? '' },
    };
  }
  const reason = `its container ${mainName} ended with ${ended.exitCode} (${ended.reason ?? 'no reason'})`;
  return { code: 'failure.pod_lost', params: { reason } };
}

function sideCarFailure(ended: Terminated, { url }: EndedTask): Failure {
  const reason = ended.message || `exit code ${ended.exitCode} (${ended.reason ?? 'no reason'})`;
  if (ended.exitCode === unreachedCode) {
    return { code: 'failure.pod_server', params: { url, reason } };
  }
  return { code: 'failure.pod_runner_image', params: { reason } };
}
