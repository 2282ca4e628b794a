import { readFile } from 'node:fs/promises';
import type { KubeConfig } from '@kubernetes/client-node';
import { ConfigError } from '../../node/config-error.ts';
import type { KubernetesConfig } from '../config/runner-config.ts';

/** Reads the credentials of a cluster. Throws a ConfigError that says what is wrong with them. */
export async function readKubeConfig(
  { configFile }: KubernetesConfig,
  create: () => KubeConfig,
): Promise<KubeConfig> {
  const config = create();
  if (configFile === null) {
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
