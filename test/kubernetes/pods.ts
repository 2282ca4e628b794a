// Pods as the tests make them: with what Pod Security `restricted` asks for, by an account of the cluster.

import { Readable, Writable } from 'node:stream';
import {
  CoreV1Api,
  Exec,
  KubeConfig,
  type V1Container,
  type V1ContainerStatus,
  type V1Pod,
  type V1PodSpec,
  type V1Status,
} from '@kubernetes/client-node';
import { until } from '../helpers/until.ts';
import type { Account } from './cluster/accounts.ts';
import { smallImage } from './cluster/images.ts';

type ContainerFields = Omit<V1Container, 'name'>;

const restrictedContainer = (name: string, fields: ContainerFields): V1Container => ({
  name,
  image: smallImage,
  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  ...fields,
});

/** A pod with these containers, by their names; each has the small image unless it names another. */
export const restrictedPod = (
  name: string,
  containers: Record<string, ContainerFields>,
  spec: Partial<V1PodSpec> = {},
): V1Pod => ({
  metadata: { name },
  spec: {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 1,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...spec,
    containers: Object.entries(containers).map(([key, fields]) => restrictedContainer(key, fields)),
  },
});

export const shell = (script: string): ContainerFields => ({ command: ['sh', '-c', script] });

interface CommandResult {
  output: string;
  errors: string;
  status: V1Status;
}

function collect(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

/** The pods of an account's namespace, with what the account may do. */
export function podsOf({ kubeconfig, namespace }: Account) {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  const read = (name: string) => core.readNamespacedPod({ name, namespace });
  const state = async (name: string, container: string): Promise<V1ContainerStatus['state']> => {
    const { status } = await read(name);
    return status?.containerStatuses?.find((one) => one.name === container)?.state;
  };
  return {
    namespace,
    core,
    read,
    create: (body: V1Pod) => core.createNamespacedPod({ namespace, body }),
    remove: (name: string) => core.deleteNamespacedPod({ name, namespace }),
    log: (name: string, container: string) =>
      core.readNamespacedPodLog({ name, namespace, container }),
    untilRunning: (name: string, container: string) =>
      until(async () => (await state(name, container))?.running),
    untilEnded: (name: string, container: string) =>
      until(async () => (await state(name, container))?.terminated),
    /** Settles when the API server no longer has the pod. */
    untilGone: (name: string) =>
      until(async () => {
        const { items } = await core.listNamespacedPod({ namespace });
        return items.every(({ metadata }) => metadata?.name !== name);
      }),
    /** Runs a command in a container with this input to its end. */
    exec(name: string, container: string, command: string[], input = ''): Promise<CommandResult> {
      const [output, errors] = [collect(), collect()];
      return new Promise((resolve, reject) => {
        new Exec(config)
          .exec(
            namespace,
            name,
            container,
            command,
            output.stream,
            errors.stream,
            Readable.from([Buffer.from(input)]),
            false,
            (status) => resolve({ output: output.text(), errors: errors.text(), status }),
          )
          .catch(reject);
      });
    },
  };
}
