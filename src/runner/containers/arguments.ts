// The arguments with which podman or docker starts a container. Secrets are never among them.

import { existsSync } from 'node:fs';
import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { ExecutionFailed } from '../execution/execution-failed.ts';
import { markName } from '../programs/processes.ts';
import type { TaskLimits } from '../programs/task-limits.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Engine } from './engine.ts';
import { dataLabel, runLabel } from './left.ts';

type Options = Pick<ExecutionSnapshot, 'image' | 'network' | 'mounts' | 'user'>;

export interface Share {
  path: string;
  access: 'read' | 'write';
}

export interface ContainerOptions {
  config: RunnerConfig;
  engine: Engine;
  execution: Options;
  workspace: Pick<Workspace, 'mark' | 'user'>;
  limits: TaskLimits;
  shares: Share[];
}

/** Throws `ExecutionFailed` if the administrator of the runner does not allow an option. */
export function checkOptions(
  { containers }: RunnerConfig,
  { network, mounts, user }: Options,
): void {
  const refuse = (option: string, value: string, setting: string): never => {
    throw new ExecutionFailed('failure.container_option', { option, value, setting });
  };
  if (network !== '' && network !== 'none' && !containers.networks.includes(network)) {
    refuse('network', network, 'SIGNALBOX_CONTAINER_NETWORKS');
  }
  for (const { source } of mounts) {
    // Not what lies below: there a task could have put a link that leads elsewhere.
    if (!containers.mounts.includes(source)) refuse('mount', source, 'SIGNALBOX_CONTAINER_MOUNTS');
    if (!existsSync(source)) throw new ExecutionFailed('failure.container_mount', { path: source });
  }
  if (user !== '' && !containers.users.includes(user)) {
    refuse('user', user, 'SIGNALBOX_CONTAINER_USERS');
  }
}

/** A container with a shell that reads commands from its standard input. */
export function runArguments(name: string, options: ContainerOptions): string[] {
  const { config, engine, execution, workspace, limits, shares } = options;
  const isPodman = engine.name === 'podman';
  return [
    'run',
    '--interactive',
    `--name=${name}`,
    `--label=${runLabel}=${workspace.mark}`,
    `--label=${dataLabel(config)}`,
    `--env=${markName}=${workspace.mark}`,
    '--pull=never',
    // The engine would keep the output in a file.
    '--log-driver=none',
    '--security-opt=label=disable',
    '--workdir=/',
    '--entrypoint=/bin/sh',
    // The variables of the runner would have the logins of proxies.
    ...(isPodman ? ['--http-proxy=false'] : []),
    ...userArguments(options),
    ...limitArguments(limits),
    ...(execution.network === '' ? [] : [`--network=${execution.network}`]),
    ...shares.map(mountArgument),
    ...execution.mounts.map(({ source, target, read_only }) =>
      bind(source, target, read_only ? 'read' : 'write'),
    ),
    '--',
    execution.image,
  ];
}

const mountArgument = ({ path, access }: Share): string => bind(path, path, access);

/** The engines read the value as a line of CSV. */
function bind(source: string, target: string, access: Share['access']): string {
  const fields = ['type=bind', `source=${source}`, `target=${target}`];
  if (access === 'read') fields.push('readonly');
  return `--mount=${fields.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')}`;
}

/**
 * Files of the run belong to its user, or to the runner's, which is root in a container without root. Programs of a
 * task with a user of its own get no further rights.
 */
function userArguments({ engine, execution, workspace: { user } }: ContainerOptions): string[] {
  if (execution.user !== '') return ownUserArguments(engine, execution.user);
  if (user) {
    return [`--user=${user.uid}:${user.gid}`, '--cap-drop=all', '--security-opt=no-new-privileges'];
  }
  const [uid, gid] = engine.isRootless
    ? [0, 0]
    : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return [`--user=${uid}:${gid}`];
}

/** The files of the run belong to this user, as the container sees them. */
function ownUserArguments({ name, isRootless }: Engine, user: string): string[] {
  if (name !== 'podman' || !isRootless)
    throw new ExecutionFailed('failure.container_user', { user });
  const [uid, gid] = user.split(':');
  return [`--userns=keep-id:uid=${uid},gid=${gid}`, `--user=${user}`];
}

function limitArguments({ memoryMib, cpuPercent, processes }: TaskLimits): string[] {
  return [
    // Swapping would circumvent the limit.
    ...(memoryMib > 0 ? [`--memory=${memoryMib}m`, `--memory-swap=${memoryMib}m`] : []),
    ...(cpuPercent > 0 ? [`--cpus=${cpuPercent / 100}`] : []),
    ...(processes > 0 ? [`--pids-limit=${processes}`] : []),
  ];
}
