// The few calls to the API of Kubernetes that a runner needs. The client takes 90 MB of memory, so that only a runner of
// a cluster loads it. What it does otherwise than one would guess stands beside each call.

import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { PassThrough } from 'node:stream';
import type {
  KubeConfig,
  V1Container,
  V1OwnerReference,
  V1Pod,
  V1Status,
} from '@kubernetes/client-node';
import { ConfigError } from '../../node/config-error.ts';
import type { KubernetesConfig } from '../config/runner-config.ts';

export type Pod = V1Pod;
export type Container = V1Container;
export type OwnerReference = V1OwnerReference;

/** Thrown when the cluster refuses a request; others are worth a repetition. */
export class ClusterRefused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface PodEvent {
  type: string;
  pod: Pod;
}

export interface Input {
  pod: string;
  container: string;
  command: string[];
  text: string;
}

export interface Cluster {
  namespace: string;
  /** Such as `1.37.2`. */
  version: string;
  /** What has to be deleted for its pods to be deleted too; null: the runner is no StatefulSet of this namespace. */
  owner: OwnerReference | null;
  createPod: (pod: Pod) => Promise<void>;
  /** Does nothing if there is none. */
  deletePod: (name: string, graceSeconds: number) => Promise<void>;
  listPods: (label: string) => Promise<{ pods: Pod[]; resourceVersion: string }>;
  /** Settles when the connection ends, which it does at least every minute. */
  watchPods: (
    label: string,
    from: string,
    onEvent: (event: PodEvent) => void,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Runs a command in a container, with this text as its standard input. Throws if it fails. */
  send: (input: Input) => Promise<void>;
}

const callMs = 30_000;

/** Throws a ConfigError if the settings name no cluster, and `ClusterRefused` or another error if it does not answer. */
export async function openCluster(config: KubernetesConfig): Promise<Cluster> {
  const client = await import('@kubernetes/client-node');
  const kubeConfig = await readKubeConfig(config, () => new client.KubeConfig());
  const core = kubeConfig.makeApiClient(client.CoreV1Api);
  const namespace =
    config.namespace || kubeConfig.getContextObject(kubeConfig.currentContext)?.namespace || '';
  if (namespace === '') {
    throw new ConfigError(
      'The context of the kubeconfig has no namespace: set SIGNALBOX_KUBERNETES_NAMESPACE.',
    );
  }
  const { gitVersion } = await checked(kubeConfig.makeApiClient(client.VersionApi).getCode());
  const exec = new client.Exec(kubeConfig);
  return {
    namespace,
    version: gitVersion.replace(/^v/, ''),
    owner: config.configFile === null ? await ownerOf(core, namespace) : null,
    async createPod(body) {
      await checked(core.createNamespacedPod({ namespace, body }));
    },
    async deletePod(name, gracePeriodSeconds) {
      try {
        await checked(core.deleteNamespacedPod({ name, namespace, gracePeriodSeconds }));
      } catch (error) {
        if (!(error instanceof ClusterRefused) || error.status !== 404) throw error;
      }
    },
    async listPods(labelSelector) {
      const { items, metadata } = await checked(
        core.listNamespacedPod({ namespace, labelSelector }),
      );
      return { pods: items, resourceVersion: metadata?.resourceVersion ?? '' };
    },
    watchPods: (labelSelector, resourceVersion, onEvent, signal) =>
      new Promise((resolve, reject) => {
        const path = `/api/v1/namespaces/${namespace}/pods`;
        const query = { labelSelector, resourceVersion, allowWatchBookmarks: true };
        const take = (type: string, pod: Pod): void => onEvent({ type, pod });
        const end = (error: unknown): void => (isTimeout(error) ? resolve() : reject(error));
        new client.Watch(kubeConfig).watch(path, query, take, end).then((stop) => {
          if (signal.aborted) stop.abort();
          signal.addEventListener('abort', () => {
            stop.abort();
            resolve();
          });
        }, reject);
      }),
    async send({ pod, container, command, text }) {
      const output = new PassThrough();
      let words = '';
      output.on('data', (piece: Buffer) => (words += piece.toString('utf8').slice(0, 1000)));
      const ended = Promise.withResolvers<V1Status>();
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
      const socket = await within(callMs, connect).catch((error: unknown) => {
        throw new Error((error as { message?: string }).message ?? 'exec failed');
      });
      socket.addEventListener('close', () => ended.reject(new Error('the connection has ended')));
      try {
        const status = await within(callMs, ended.promise);
        if (status.status !== 'Success') throw new Error(`${status.message ?? ''} ${words}`.trim());
      } finally {
        socket.close();
      }
    },
  };
}

async function readKubeConfig(
  { configFile }: KubernetesConfig,
  create: () => KubeConfig,
): Promise<KubeConfig> {
  const config = create();
  if (configFile === null) {
    // Without these variables the client would ask localhost.
    if (process.env['KUBERNETES_SERVICE_HOST'] === undefined) {
      throw new ConfigError(
        'SIGNALBOX_KUBERNETES_CONFIG holds "cluster", but this runner is in no pod: name a kubeconfig.',
      );
    }
    config.loadFromCluster();
    return config;
  }
  try {
    config.loadFromString(await readFile(configFile, 'utf8'));
  } catch (cause) {
    throw unusable(configFile, (cause as Error).message, cause);
  }
  const user = config.getCurrentUser();
  if (!config.getCurrentCluster() || !user) {
    throw unusable(configFile, 'its current context names no cluster or no user');
  }
  // The client ignores `tokenFile`, so that the cluster would see an anonymous user.
  const { token, certData, certFile, exec, authProvider, username } = user;
  if (![token, certData, certFile, exec, authProvider, username].some(Boolean)) {
    throw unusable(
      configFile,
      `its user ${user.name} has neither a token, nor a certificate, nor a command that prints one (a tokenFile is not read)`,
    );
  }
  return config;
}

const unusable = (file: string, reason: string, cause?: unknown): ConfigError =>
  new ConfigError(`SIGNALBOX_KUBERNETES_CONFIG (${file}) cannot be used: ${reason}.`, { cause });

/** The StatefulSet of the runner. A ReplicaSet is no owner: it goes with the next version of the runner. */
async function ownerOf(
  core: { readNamespacedPod: (key: { name: string; namespace: string }) => Promise<Pod> },
  namespace: string,
): Promise<OwnerReference | null> {
  const own = await core.readNamespacedPod({ name: hostname(), namespace }).catch(() => null);
  const found = own?.metadata?.ownerReferences?.find(({ kind }) => kind === 'StatefulSet');
  if (!found) return null;
  const { apiVersion, kind, name, uid } = found;
  return { apiVersion, kind, name, uid };
}

/** A watch without events ends with this error, though bookmarks come only once a minute. */
const isTimeout = (error: unknown): boolean =>
  error === null || error === undefined || (error as Error).name === 'TimeoutError';

/** Throws `ClusterRefused` with the words of the cluster for its refusals. */
async function checked<T>(call: Promise<T>): Promise<T> {
  try {
    return await within(callMs, call);
  } catch (error) {
    const { code, body } = error as { code?: unknown; body?: unknown };
    if (typeof code !== 'number') throw reachable(error);
    throw new ClusterRefused(code, messageIn(body) ?? `HTTP ${code}`);
  }
}

function messageIn(body: unknown): string | null {
  try {
    const { message } = JSON.parse(String(body)) as { message?: string };
    return message ?? null;
  } catch {
    return null;
  }
}

/** A server that is away is a TypeError whose cause says why. */
function reachable(error: unknown): Error {
  const { message, cause } = error as Error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return new Error(code ? `${message} (${code})` : message, { cause: error });
}

/** The client has no time limit of its own. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`the cluster does not answer within ${ms / 1000} seconds`)),
    ms,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
