import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';

const runner = { SIGNALBOX_SERVER_URL: 'https://server.example.com' };
const cluster = {
  ...runner,
  SIGNALBOX_KUBERNETES_CONFIG: '/etc/signalbox/kubeconfig',
  SIGNALBOX_KUBERNETES_IMAGE: 'registry.example.com/signalbox:1',
};

test('a remote runner runs its tasks in the pods of a cluster', () => {
  expect(loadConfig(runner).kubernetes).toBeNull();
  expect(
    loadConfig({
      ...cluster,
      SIGNALBOX_KUBERNETES_NAMESPACE: 'tasks',
      SIGNALBOX_KUBERNETES_SERVER_URL: 'https://inside.example.com/',
      SIGNALBOX_KUBERNETES_SERVICE_ACCOUNTS: 'deployer, reader',
    }).kubernetes,
  ).toEqual({
    configFile: '/etc/signalbox/kubeconfig',
    namespace: 'tasks',
    image: 'registry.example.com/signalbox:1',
    serverUrl: 'https://inside.example.com',
    serviceAccounts: ['deployer', 'reader'],
    userNamespaces: false,
    startSeconds: 600,
  });
  const inside = { ...cluster, SIGNALBOX_KUBERNETES_CONFIG: 'cluster' };
  const { kubernetes } = loadConfig({ ...inside, KUBERNETES_SERVICE_HOST: '10.0.0.1' });
  expect(kubernetes?.configFile).toBeNull();
});

test.each<[Record<string, string>, string]>([
  [
    { ...cluster, SIGNALBOX_SERVER_URL: '' },
    'SIGNALBOX_KUBERNETES_CONFIG is for remote runners: set SIGNALBOX_SERVER_URL too.',
  ],
  [
    { ...cluster, SIGNALBOX_KUBERNETES_IMAGE: '' },
    'SIGNALBOX_KUBERNETES_CONFIG needs SIGNALBOX_KUBERNETES_IMAGE',
  ],
  [{ ...cluster, SIGNALBOX_KUBERNETES_CONFIG: 'cluster' }, 'but this runner is in no pod'],
  [{ ...cluster, SIGNALBOX_KUBERNETES_CONFIG: 'relative' }, 'SIGNALBOX_KUBERNETES_CONFIG'],
  [{ ...cluster, SIGNALBOX_KUBERNETES_NAMESPACE: 'Not_one' }, 'SIGNALBOX_KUBERNETES_NAMESPACE'],
])('%o is refused', (environment, words) => {
  expect(() => loadConfig(environment)).toThrow(words);
});
