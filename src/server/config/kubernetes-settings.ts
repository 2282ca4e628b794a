// Settings of a remote runner that runs tasks in pods of Kubernetes.

import { isAbsolute } from 'node:path';
import { trimEndOf } from '#shared/trim-end.ts';
import { splitList } from '#shared/comma-list.ts';
import type { KubernetesConfig } from '../../runner/config/runner-config.ts';
import { ConfigError } from '../../node/config-error.ts';
import { anything, isWebAddress, onOff, wholeNumber, type Settings } from './setting-values.ts';

const isObjectName = (name: string): boolean => /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name);

export const kubernetesSettings = {
  SIGNALBOX_KUBERNETES_CONFIG: {
    holds: 'cluster, or the absolute path of a kubeconfig',
    about:
      'Cluster in whose pods this remote runner runs all of its tasks: that of the pod in which it runs itself, with the service account of this pod (cluster), or the one of a kubeconfig',
    accepts: (value) => value === 'cluster' || isAbsolute(value),
  },
  SIGNALBOX_KUBERNETES_NAMESPACE: {
    holds: 'the name of a namespace',
    about:
      'Namespace of the pods; empty: that of the context of the kubeconfig, or of the pod of the runner',
    accepts: isObjectName,
  },
  SIGNALBOX_KUBERNETES_IMAGE: {
    holds: 'the name of an image with tag or digest',
    about:
      'Image of Signalbox, of the version of this runner, for the container that prepares and follows a task in its pod',
    accepts: anything,
  },
  SIGNALBOX_KUBERNETES_SERVER_URL: {
    holds: 'an http or https address',
    about: 'Address of the server from the pods, if it is not SIGNALBOX_SERVER_URL',
    accepts: isWebAddress,
  },
  SIGNALBOX_KUBERNETES_SERVICE_ACCOUNTS: {
    initial: '',
    holds: 'names of service accounts, separated by commas',
    about:
      'Service accounts that an execution environment may give its pods; without one a pod has no access to the cluster',
    accepts: (value) => splitList(value).every(isObjectName),
  },
  SIGNALBOX_KUBERNETES_USER_NAMESPACES: {
    initial: 'off',
    ...onOff,
    about:
      'Whether the users of pods are others on their nodes (hostUsers: false), for which all nodes need a kernel, containerd or CRI-O that can do so',
  },
  SIGNALBOX_KUBERNETES_START_SECONDS: {
    initial: '600',
    ...wholeNumber(10, 86_400),
    about: 'How many seconds a pod may wait for a node, and then for its images',
  },
} satisfies Settings;

type SettingName = keyof typeof kubernetesSettings;

/** Null: tasks run on the machine of the runner. */
export function readKubernetes(
  text: (name: SettingName) => string,
  isRemote: boolean,
  environment: NodeJS.ProcessEnv,
): KubernetesConfig | null {
  const config = text('SIGNALBOX_KUBERNETES_CONFIG');
  if (config === '') return null;
  if (!isRemote) {
    throw new ConfigError(
      'SIGNALBOX_KUBERNETES_CONFIG is for remote runners: set SIGNALBOX_SERVER_URL too.',
    );
  }
  // The client would ask the address "undefined".
  if (config === 'cluster' && environment['KUBERNETES_SERVICE_HOST'] === undefined) {
    throw new ConfigError(
      'SIGNALBOX_KUBERNETES_CONFIG holds "cluster", but this runner is in no pod: name a kubeconfig.',
    );
  }
  const image = text('SIGNALBOX_KUBERNETES_IMAGE');
  if (image === '') {
    throw new ConfigError(
      'SIGNALBOX_KUBERNETES_CONFIG needs SIGNALBOX_KUBERNETES_IMAGE: name the image of Signalbox.',
    );
  }
  return {
    configFile: config === 'cluster' ? null : config,
    namespace: text('SIGNALBOX_KUBERNETES_NAMESPACE'),
    image,
    serverUrl: trimEndOf(text('SIGNALBOX_KUBERNETES_SERVER_URL'), '/') || null,
    serviceAccounts: splitList(text('SIGNALBOX_KUBERNETES_SERVICE_ACCOUNTS')),
    userNamespaces: text('SIGNALBOX_KUBERNETES_USER_NAMESPACES') === 'on',
    startSeconds: Number(text('SIGNALBOX_KUBERNETES_START_SECONDS')),
  };
}
