// The pod of a task. It meets the level `restricted` of Pod Security, and its description has no secret.

import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { KubernetesConfig } from '../config/runner-config.ts';
import { mainScript } from '../pods/main-script.ts';
import { mainName, podFolders, sideCarName } from '../pods/pod-folders.ts';
import type { TaskLimits } from '../programs/task-limits.ts';
import type { Container, OwnerReference, Pod } from './cluster.ts';

/** Identifies the pods of a runner. */
export const runnerLabel = 'signalbox.dev/runner';
export const taskLabel = 'signalbox.dev/task';
const projectLabel = 'signalbox.dev/project';
const templateLabel = 'signalbox.dev/template';

export interface PodOptions {
  config: KubernetesConfig;
  /** The value of the runner's label. */
  runner: string;
  owner: OwnerReference | null;
  task: Pick<RunnerTask, 'id' | 'lease' | 'project_id' | 'template_id'>;
  name: string;
  execution: ExecutionSnapshot;
  limits: TaskLimits;
}

/** The same for a repeated creation, so that a task never has two. */
export const podName = ({ runner, task }: Pick<PodOptions, 'runner' | 'task'>): string =>
  `signalbox-${runner}-${task.id}-${task.lease}`;

const usualUser = '1000:1000';
const graceSeconds = 60;

const pullPolicies = { missing: 'IfNotPresent', always: 'Always', never: 'Never' } as const;

const restricted = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

const mounts = {
  files: { name: 'files', mountPath: podFolders.files },
  memory: { name: 'memory', mountPath: podFolders.memory },
  own: { name: 'side-car', mountPath: podFolders.own },
} as const;

/** `A=b` as an object. */
const pairs = (list: string[]): Record<string, string> =>
  Object.fromEntries(
    list.map((text) => {
      const [name = '', ...value] = text.split('=');
      return [name, value.join('=')];
    }),
  );

/** A toleration, written as kubectl writes taints. */
function toToleration(text: string) {
  const [taint = '', effect] = text.split(':');
  const [key = '', value] = taint.split('=');
  return {
    key,
    operator: value === undefined ? 'Exists' : 'Equal',
    ...(value !== undefined && { value }),
    ...(effect !== undefined && { effect }),
  };
}

/** Kubernetes replaces `$(NAME)` in commands, and `$$` by `$`. */
const literal = (text: string): string => text.replaceAll('$', () => '$$');

const memoryOf = (mib: number): Record<string, string> => (mib > 0 ? { memory: `${mib}Mi` } : {});
/** 100 is one processor. */
const cpuOf = (percent: number): Record<string, string> =>
  percent > 0 ? { cpu: `${percent * 10}m` } : {};

export function podFor(options: PodOptions): Pod {
  const { config, runner, owner, task, name, execution, limits } = options;
  const [uid, gid] = (execution.user || usualUser).split(':').map(Number);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      labels: {
        ...pairs(execution.pod_labels),
        'app.kubernetes.io/name': 'signalbox-task',
        [runnerLabel]: runner,
        [taskLabel]: String(task.id),
        [projectLabel]: String(task.project_id),
        [templateLabel]: String(task.template_id),
      },
      ...(owner && { ownerReferences: [owner] }),
    },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: graceSeconds,
      automountServiceAccountToken: execution.service_account !== '',
      ...(execution.service_account !== '' && { serviceAccountName: execution.service_account }),
      enableServiceLinks: false,
      // The side-car follows and ends the programs of the main container.
      shareProcessNamespace: true,
      ...(config.userNamespaces && { hostUsers: false }),
      securityContext: {
        runAsNonRoot: true,
        runAsUser: uid ?? 1000,
        runAsGroup: gid ?? 1000,
        fsGroup: gid ?? 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      imagePullSecrets: execution.pull_secrets.map((secret) => ({ name: secret })),
      nodeSelector: pairs(execution.node_labels),
      tolerations: execution.tolerations.map(toToleration),
      volumes: [
        { name: mounts.files.name, emptyDir: {} },
        { name: mounts.memory.name, emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } },
        { name: mounts.own.name, emptyDir: { medium: 'Memory', sizeLimit: '16Mi' } },
      ],
      containers: [sideCar(config), mainContainer(execution, limits)],
    },
  };
}

const sideCar = ({ image }: KubernetesConfig): Container => ({
  name: sideCarName,
  image,
  imagePullPolicy: 'IfNotPresent',
  command: ['signalbox-side-car'],
  env: [{ name: 'HOME', value: podFolders.own }],
  resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '1Gi' } },
  securityContext: restricted,
  volumeMounts: [mounts.files, mounts.memory, mounts.own],
});

const mainContainer = (
  { image, pull, memory_request_mib: memory, cpu_request_percent: cpu }: ExecutionSnapshot,
  { memoryMib, cpuPercent }: TaskLimits,
): Container => ({
  name: mainName,
  image,
  imagePullPolicy: pullPolicies[pull],
  command: ['/bin/sh', '-c', literal(mainScript(podFolders.main))],
  resources: {
    requests: { ...memoryOf(memory), ...cpuOf(cpu) },
    limits: { ...memoryOf(memoryMib), ...cpuOf(cpuPercent) },
  },
  securityContext: restricted,
  volumeMounts: [mounts.files, mounts.memory],
});
