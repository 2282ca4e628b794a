// Settings of the containers of tasks.

import { isAbsolute } from 'node:path';
import { splitList } from '#shared/comma-list.ts';
import { byteCount, oneOf, wholeNumber, type Settings } from './setting-values.ts';

const engines = ['auto', 'podman', 'docker', 'none'] as const;

const listOf = (isEntry: (entry: string) => boolean) => (value: string) =>
  splitList(value).every(isEntry);

export const containerSettings = {
  SIGNALBOX_CONTAINER_ENGINE: {
    initial: 'auto',
    ...oneOf(engines),
    about:
      'The program that runs tasks in containers: podman or, without it, docker (auto), one of them only, or none, so that this server runs no containers',
  },
  SIGNALBOX_CONTAINER_NETWORKS: {
    initial: '',
    holds: 'names of networks of podman or docker, or host, separated by commas',
    about:
      'Networks that an execution environment may choose for its containers, besides the usual one and none. With host, a container reaches everything that listens on this server',
    accepts: listOf((entry) => /^\w[\w.-]*$/.test(entry)),
  },
  SIGNALBOX_CONTAINER_MOUNTS: {
    initial: '',
    holds: 'absolute paths, separated by commas',
    about:
      'Files and folders of this server that an execution environment may show to its containers, each as a whole, with everything in it',
    accepts: listOf((entry) => isAbsolute(entry)),
  },
  SIGNALBOX_CONTAINER_USERS: {
    initial: '',
    holds: 'users and groups as numbers, such as 1000:1000, separated by commas',
    about: 'Users that an execution environment may choose for the programs in its containers',
    accepts: listOf((entry) => /^\d{1,10}:\d{1,10}$/.test(entry)),
  },
  SIGNALBOX_CONTAINER_PULL_SECONDS: {
    initial: '1200',
    ...wholeNumber(10, 86_400),
    about: 'How many seconds pulling an image may take',
  },
  SIGNALBOX_CONTAINER_IMAGE_BYTES: {
    initial: '20000000000',
    ...byteCount('no limit'),
    about:
      'How much of the disk images may take that tasks have pulled. Those not used for the longest time are removed first, once a day; other images are never removed',
  },
} satisfies Settings;

export const containersOf = (text: (name: keyof typeof containerSettings) => string) => ({
  engine: engines.find((one) => one === text('SIGNALBOX_CONTAINER_ENGINE')) ?? 'auto',
  networks: splitList(text('SIGNALBOX_CONTAINER_NETWORKS')),
  mounts: splitList(text('SIGNALBOX_CONTAINER_MOUNTS')),
  users: splitList(text('SIGNALBOX_CONTAINER_USERS')),
  pullSeconds: Number(text('SIGNALBOX_CONTAINER_PULL_SECONDS')),
  keptImageBytes: Number(text('SIGNALBOX_CONTAINER_IMAGE_BYTES')),
});
