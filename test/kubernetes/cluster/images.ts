// The images of a cluster, made without a registry: small ones of busybox, and the real one of deploy/Dockerfile.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makeBases } from '../../../scripts/image/bases.ts';
import { buildImage, builtName } from '../../../scripts/image/build.ts';
import { buildah, program } from '../../../scripts/trial/programs.ts';
import { startPodman } from '../../helpers/containers.ts';
import { pauseImage } from './configuration.ts';

/** The image of the product, with Ansible; `ansibleImage` is the same by another name. */
export const signalboxImage = 'localhost/signalbox:test';
export const ansibleImage = 'localhost/ansible:1';
export const smallImage = 'localhost/small:1';
export const imageWithoutShell = 'localhost/without-shell:1';

// Of several lines, since processes that lost their parent become children of the first process of a pod that shares
// its processes: a shell that waits collects them.
const pause = 'trap "exit 0" TERM; while :; do sleep 3600 & wait $!; done';

const ofBusybox = {
  [pauseImage]: {
    commands: ['sh', 'sleep'],
    changes: [`ENTRYPOINT ${JSON.stringify(['/bin/sh', '-c', pause])}`],
  },
  [smallImage]: {
    commands:
      'sh cat cp echo env false find grep head id kill ls mkdir mkfifo mv nc printf ps pwd rm sed sleep stat sync tail tar tee test touch true uname wc wget yes dd'.split(
        ' ',
      ),
  },
  [imageWithoutShell]: { commands: ['cat', 'sleep', 'true'] },
};

/** Builds the image of the product: only the steps whose files have changed are repeated. */
export const buildSignalboxImage = (): void => void buildImage(makeBases(false));

const ctr = (folder: string, ...args: string[]): void =>
  void execFileSync(
    'ctr',
    ['--address', join(folder, 'containerd.sock'), '-n', 'k8s.io', ...args],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );

/** Imports the images of an archive into the containerd of a cluster. */
export const importImage = (folder: string, archive: string): void =>
  ctr(folder, 'images', 'import', archive);

/** Makes the images of busybox and imports them. */
export function importSmallImages(folder: string): void {
  const podman = startPodman();
  const archive = join(folder, 'small.tar');
  try {
    for (const [name, options] of Object.entries(ofBusybox)) podman.makeImage(name, options);
    podman.podman('save', '--quiet', '-m', '-o', archive, ...Object.keys(ofBusybox));
  } finally {
    podman.close();
  }
  importImage(folder, archive);
}

export function importSignalboxImage(folder: string): void {
  const archive = join(folder, 'signalbox.tar');
  program('buildah', ['push', '--quiet', builtName, `docker-archive:${archive}:${signalboxImage}`]);
  importImage(folder, archive);
  ctr(folder, 'images', 'tag', signalboxImage, ansibleImage);
}

/** Imports the image of the product with one more program. */
export function importImageWith(folder: string, name: string, path: string): void {
  const archive = join(folder, 'with.tar');
  const container = buildah('from', builtName);
  try {
    program('buildah', ['copy', '--quiet', container, path, '/usr/local/bin/']);
    program('buildah', ['commit', '--quiet', container, name]);
    program('buildah', ['push', '--quiet', name, `docker-archive:${archive}:${name}`]);
  } finally {
    program('buildah', ['rm', container]);
  }
  importImage(folder, archive);
}
