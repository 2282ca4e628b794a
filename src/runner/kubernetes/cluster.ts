// The few calls to the API of Kubernetes that a runner needs. The client takes 90 MB of memory, so that only a runner of
// a cluster loads it. What it does otherwise than one would guess stands beside each call.

import { hostname } from 'node:os';
import { PassThrough } from 'node:stream';
import type {
  CoreV1Api,
  Exec,
  V1Container,
  V1OwnerReference,
  V1Pod,
  V1Status,
  Watch,
} from '@kubernetes/client-node';
import { ConfigError } from '../../node/config-error.ts';
import type { KubernetesConfig } from '../config/runner-config.ts';
import { checked, ClusterRefused, within } from './cluster-calls.ts';
import { readKubeConfig } from './kube-config.ts';

export type Pod = V1Pod;
export type Container = V1Container;
export type OwnerReference = V1OwnerReference;

export interface PodEvent {
  type: string;
  pod: Pod;
}

export interface CommandInput {
  pod: string;
  container: string;
  command: string[];
  text: string;
}

export type Cluster = Awaited<ReturnType<typeof openCluster>>;

/** Throws a ConfigError if the settings name no cluster, and `ClusterRefused` or another error if it does not answer. */
export async function openCluster(config: KubernetesConfig) {
  const client = await import('@kubernetes/client-node');
  const kubeConfig = await readKubeConfig(config, () => new client.KubeConfig());
  const core = kubeConfig.makeApiClient(client.CoreV1Api);
  const context = kubeConfig.getContextObject(kubeConfig.currentContext);
  const namespace = config.namespace || context?.namespace || '';
  if (namespace === '') {
    throw new ConfigError(
      'The context of the kubeconfig has no namespace: set SIGNALBOX_KUBERNETES_NAMESPACE.',
    );
  }
  const { gitVersion } = await checked(kubeConfig.makeApiClient(client.VersionApi).getCode());
  return {
    namespace,
    /** Such as `1.37.2`. */
    version: gitVersion.replace(/^v/, ''),
    /** What has to be deleted for its pods to be deleted too; null: the runner is no StatefulSet of this namespace. */
    owner: config.configFile === null ? await findOwner(core, namespace) : null,
    ...podCalls(core, namespace),
    /** Settles when the connection ends, which it does at least every minute. */
    watchPods: (query: PodQuery, onEvent: (event: PodEvent) => void, signal: AbortSignal) =>
      watchPods(new client.Watch(kubeConfig), namespace, { query, onEvent, signal }),
    /** Runs a command in a container, with this text as its standard input. Throws if it fails. */
    send: (input: CommandInput) => runCommand(new client.Exec(kubeConfig), namespace, input),
  };
}

const podCalls = (core: CoreV1Api, namespace: string) => ({
  async createPod(body: Pod): Promise<void> {
    await checked(core.createNamespacedPod({ namespace, body }));
  },
  /** Does nothing if there is none. */
  async deletePod(name: string, gracePeriodSeconds: number): Promise<void> {
    try {
      await checked(core.deleteNamespacedPod({ name, namespace, gracePeriodSeconds }));
    } catch (error) {
      if (!(error instanceof ClusterRefused) || error.status !== 404) throw error;
    }
  },
  async listPods(labelSelector: string): Promise<{ pods: Pod[]; resourceVersion: string }> {
    const { items, metadata } = await checked(core.listNamespacedPod({ namespace, labelSelector }));
    return { pods: items, resourceVersion: metadata?.resourceVersion ?? '' };
  },
});

interface PodQuery {
  labelSelector: string;
  resourceVersion: string;
}

interface PodWatchOptions {
  query: PodQuery;
  onEvent: (event: PodEvent) => void;
  signal: AbortSignal;
}

async function watchPods(
  watch: Watch,
  namespace: string,
  { query, onEvent, signal }: PodWatchOptions,
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const stop = await watch.watch(
    `/api/v1/namespaces/${namespace}/pods`,
    { ...query, allowWatchBookmarks: true },
    (type: string, pod: Pod) => onEvent({ type, pod }),
    (error: unknown) => (isOrderly(error) ? ended.resolve() : ended.reject(error)),
  );
  const leave = (): void => {
    stop.abort();
    ended.resolve();
  };
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  await ended.promise.finally(() => signal.removeEventListener('abort', leave));
}

/** A watch without events ends with this error after 30 seconds, though bookmarks come only once a minute. */
const isOrderly = (error: unknown): boolean =>
  error === null || error === undefined || (error as Error).name === 'TimeoutError';

const MAX_WORDS = 1000;

async function runCommand(
  exec: Exec,
  namespace: string,
  { pod, container, command, text }: CommandInput,
): Promise<void> {
  const output = new PassThrough();
  let words = '';
  output.on('data', (piece: Buffer) => (words = (words + piece.toString()).slice(0, MAX_WORDS)));
  const ended = Promise.withResolvers<V1Status>();
  ended.promise.catch(() => undefined);
  // Its end would close the whole connection on clusters before 1.30, so the command has to know the length.
  const input = new PassThrough();
  input.write(text);
  const connect = exec.exec(
    namespace,
    pod,
    container,
    command,
    output,
    output,
    input,
    false,
    ended.resolve,
  );
  // A failure is an ErrorEvent, and a connection that ends early calls nothing back.
  const socket = await within(connect).catch((error: unknown) => {
    throw new Error((error as { message?: string }).message ?? 'exec failed');
  });
  socket.addEventListener('close', () => ended.reject(new Error('the connection has ended')));
  try {
    const status = await within(ended.promise);
    if (status.status !== 'Success') throw new Error(`${status.message ?? ''} ${words}`.trim());
  } finally {
    socket.close();
  }
}

/** The StatefulSet of the runner. A ReplicaSet is no owner: it goes with the next version of the runner. */
async function findOwner(core: CoreV1Api, namespace: string): Promise<OwnerReference | null> {
  const own = await core.readNamespacedPod({ name: hostname(), namespace }).catch(() => null);
  const found = own?.metadata?.ownerReferences?.find(({ kind }) => kind === 'StatefulSet');
  if (!found) return null;
  const { apiVersion, kind, name, uid } = found;
  return { apiVersion, kind, name, uid };
}
