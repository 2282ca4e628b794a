// Namespaces as a careful administrator makes them, and accounts that may do what a test says and nothing more.

import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ApiException,
  CoreV1Api,
  type KubeConfig,
  RbacAuthorizationV1Api,
  type V1PolicyRule,
} from '@kubernetes/client-node';
import { until } from '../../helpers/until.ts';
import { kubeconfig } from './certificates.ts';

export interface Account {
  namespace: string;
  /** The text of the kubeconfig and the path of a file with it. */
  kubeconfig: string;
  path: string;
}

/** Makes a namespace whose pods have to follow the strictest of the Pod Security Standards. */
export async function makeNamespace(admin: KubeConfig): Promise<string> {
  const core = admin.makeApiClient(CoreV1Api);
  const name = `test-${randomUUID().slice(0, 8)}`;
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await core.createNamespace({ body: { metadata: { name, labels } } });
  // Until a controller has made this account, each new pod is forbidden.
  await until(() => hasDefaultAccount(core, name));
  return name;
}

const hasDefaultAccount = (core: CoreV1Api, namespace: string): Promise<boolean> =>
  core.readNamespacedServiceAccount({ name: 'default', namespace }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiException && error.code === 404) return false;
      throw error;
    },
  );

/** Makes a service account in a namespace of its own, with a role of exactly these rules. */
export async function makeAccount(
  admin: KubeConfig,
  folder: string,
  rules: V1PolicyRule[],
): Promise<Account> {
  const namespace = await makeNamespace(admin);
  const core = admin.makeApiClient(CoreV1Api);
  const rbac = admin.makeApiClient(RbacAuthorizationV1Api);
  const metadata = { name: 'runner', namespace };
  await core.createNamespacedServiceAccount({ namespace, body: { metadata } });
  await rbac.createNamespacedRole({ namespace, body: { metadata, rules } });
  await rbac.createNamespacedRoleBinding({
    namespace,
    body: {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'runner' },
      subjects: [{ kind: 'ServiceAccount', name: 'runner', namespace }],
    },
  });
  const { status } = await core.createNamespacedServiceAccountToken({
    name: 'runner',
    namespace,
    body: { spec: { audiences: [], expirationSeconds: 8 * 3600 } },
  });
  const address = admin.getCurrentCluster()?.server ?? '';
  const text = kubeconfig(folder, address, 'runner', status?.token ?? '');
  const path = join(folder, `${namespace}.kubeconfig`);
  writeFileSync(path, text, { mode: 0o600 });
  return { namespace, kubeconfig: text, path };
}
