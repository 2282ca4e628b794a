import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';

test('without settings, containers have the usual network and nothing of the server', () => {
  expect(loadConfig({}).containers).toEqual({
    engine: 'auto',
    networks: [],
    mounts: [],
    users: [],
    pullSeconds: 1200,
    keptImageBytes: 20_000_000_000,
  });
});

test('what an administrator allows is read', () => {
  const environment = {
    SIGNALBOX_CONTAINER_ENGINE: 'podman',
    SIGNALBOX_CONTAINER_NETWORKS: 'host, deploy',
    SIGNALBOX_CONTAINER_MOUNTS: '/srv/a,/srv/b',
    SIGNALBOX_CONTAINER_USERS: '1000:1000',
    SIGNALBOX_CONTAINER_PULL_SECONDS: '60',
    SIGNALBOX_CONTAINER_IMAGE_BYTES: '0',
  };
  expect(loadConfig(environment).containers).toEqual({
    engine: 'podman',
    networks: ['host', 'deploy'],
    mounts: ['/srv/a', '/srv/b'],
    users: ['1000:1000'],
    pullSeconds: 60,
    keptImageBytes: 0,
  });
});

test.each([
  ['SIGNALBOX_CONTAINER_ENGINE', 'lxc'],
  ['SIGNALBOX_CONTAINER_NETWORKS', '--privileged'],
  ['SIGNALBOX_CONTAINER_MOUNTS', 'relative/path'],
  ['SIGNALBOX_CONTAINER_USERS', 'root'],
])('%s refuses %s', (name, value) => {
  expect(() => loadConfig({ [name]: value })).toThrow(name);
});
