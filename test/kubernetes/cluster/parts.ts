// Starts and kills the parts of a cluster. A part outlives the process that started it, since each test file may kill
// and start parts of the same cluster.

import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { until } from '../../helpers/until.ts';
import { type ClusterState, type Part, commandOf } from './configuration.ts';
import { groupOf, killPart, processesIn } from './control-groups.ts';

const START_LIMIT_SECONDS = 300;

/** Moves the shell into the control group of the part, before the shell becomes the part. */
const intoGroup = 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"';

/** Those that mount. */
const withMounts = new Set<Part>(['containerd', 'kubelet']);

function launch(state: ClusterState, part: Part): void {
  const enter = withMounts.has(part)
    ? ['nsenter', '--mount', `--wd=${state.folder}`, '--target', String(holderOf(state))]
    : [];
  const group = groupOf(state.name, part);
  const log = openSync(logOf(state, part), 'a');
  const args = ['-ec', intoGroup, 'sh', group, ...enter, ...commandOf(state, part)];
  spawn('sh', args, { cwd: state.folder, detached: true, stdio: ['ignore', log, log] }).unref();
  closeSync(log);
}

/** The process that holds the namespace of mounts. */
const holderOf = ({ name }: ClusterState): number | undefined =>
  processesIn(groupOf(name, 'mounts'))[0];

const logOf = ({ folder }: ClusterState, part: Part): string => join(folder, 'log', part);

const isRunning = ({ name }: ClusterState, part: Part): boolean =>
  processesIn(groupOf(name, part)).length > 0;

const answers = async (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/** Whether the API server answers that it is ready. */
const isApiReady = ({ folder, ports }: ClusterState): Promise<boolean> =>
  new Promise((resolve) => {
    const ca = readFileSync(join(folder, 'ca.crt'));
    const call = request(`https://127.0.0.1:${ports.api}/readyz`, { ca, agent: false });
    call.once('response', (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    call.once('error', () => resolve(false));
    call.end();
  });

const readiness: Record<Part, (state: ClusterState) => boolean | Promise<boolean>> = {
  mounts(state) {
    const holder = holderOf(state);
    return readFileSync(`/proc/${holder}/mounts`, 'utf8').includes(' /var/lib tmpfs');
  },
  etcd: ({ ports }) => answers(`http://127.0.0.1:${ports.etcd}/health`),
  apiserver: isApiReady,
  containerd: ({ folder }) => existsSync(join(folder, 'containerd.sock')),
  kubelet: ({ ports }) => answers(`http://127.0.0.1:${ports.kubeletHealth}/healthz`),
  'controller-manager': () => true,
  scheduler: () => true,
  kwok: ({ ports }) => answers(`http://127.0.0.1:${ports.kwok}/readyz`),
};

/** Starts a part and returns when it is ready. */
export async function startPart(state: ClusterState, part: Part): Promise<void> {
  launch(state, part);
  await until(() => isRunning(state, part));
  await until(() => {
    if (!isRunning(state, part)) throw new Error(`${part} has ended:\n${endOf(state, part)}`);
    return readiness[part](state);
  }, START_LIMIT_SECONDS);
}

const endOf = (state: ClusterState, part: Part): string =>
  readFileSync(logOf(state, part), 'utf8').slice(-3000);

/** Kills a part with SIGKILL; containers go on without the kubelet. */
export const stopPart = ({ name }: ClusterState, part: Part): Promise<void> => killPart(name, part);
