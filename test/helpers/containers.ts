// A real podman with images and containers of its own, in a folder that is removed at the end.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { ContainerConfig } from '../../src/runner/config/runner-config.ts';

export const containerSettings: ContainerConfig = {
  engine: 'podman',
  networks: [],
  mounts: [],
  users: [],
  pullSeconds: 60,
  keptImageBytes: 0,
};

export interface TestPodman {
  /** The folder with the program, and that folder before the PATH of this process. */
  folder: string;
  path: string;
  /** Runs podman and returns what it prints. */
  podman: (...args: string[]) => string;
  /** Makes an image of files, with busybox and the named commands of it. */
  makeImage: (name: string, options?: ImageOptions) => void;
  close: () => void;
}

interface ImageOptions {
  /** Commands of busybox. */
  commands?: string[];
  /** Texts of programs in /usr/bin. */
  programs?: Record<string, string>;
  /** Changes of the image's configuration, as in a Dockerfile. */
  changes?: string[];
  /** Another one than that of this machine. */
  architecture?: string;
}

const usualCommands =
  'sh cat echo env id kill ls mkdir printf ps pwd rm sleep sync test touch true uname wc yes head dd';

/**
 * Podman without a network for containers, whatever the administrator of this machine has configured. `store`: the
 * folder of its images.
 */
export function startPodman(store?: string): TestPodman {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-podman-'));
  const files = {
    'containers.conf': [
      '[containers]',
      'default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]',
      'netns = "none"',
      '[engine]',
      'runtime = "runc"',
      'cgroup_manager = "cgroupfs"',
      'events_logger = "none"',
      // Other stores of the same user would share the locks.
      'lock_type = "file"',
      `tmp_dir = "${folder}/tmp"`,
    ],
    'storage.conf': [
      '[storage]',
      'driver = "overlay"',
      `graphroot = "${store ?? `${folder}/store`}"`,
      `runroot = "${folder}/run"`,
    ],
  };
  // Registries of tests have no certificate.
  const insecure = ['[[registry]]', 'location = "127.0.0.1"', 'insecure = true'];
  for (const [name, lines] of Object.entries({ ...files, 'registries.conf': insecure })) {
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  }
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const wrapper = join(bin, 'podman');
  const variables = [
    `CONTAINERS_CONF=${folder}/containers.conf`,
    `CONTAINERS_STORAGE_CONF=${folder}/storage.conf`,
    `CONTAINERS_REGISTRIES_CONF=${folder}/registries.conf`,
  ].join(' ');
  writeFileSync(wrapper, `#!/bin/sh\nexport ${variables}\nexec /usr/bin/podman "$@"\n`, {
    mode: 0o755,
  });
  const podman = (...args: string[]): string =>
    execFileSync(wrapper, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return {
    folder: bin,
    path: `${bin}${delimiter}${process.env['PATH']}`,
    podman,
    makeImage: (name, options) => makeImage(folder, wrapper, name, options),
    close() {
      podman('rm', '--force', '--all', '--time=0');
      // It cannot remove the mount point of a disk.
      if (store === undefined) podman('system', 'reset', '--force');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function makeImage(
  folder: string,
  podman: string,
  name: string,
  {
    commands = usualCommands.split(' '),
    programs = {},
    changes = [],
    architecture,
  }: ImageOptions = {},
): void {
  const root = mkdtempSync(join(folder, 'image-'));
  for (const part of ['bin', 'etc', 'tmp', 'usr/bin'])
    mkdirSync(join(root, part), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  copyFileSync('/bin/busybox', join(root, 'bin/busybox'));
  for (const command of commands) symlinkSync('busybox', join(root, 'bin', command));
  for (const [program, text] of Object.entries(programs)) {
    writeFileSync(join(root, 'usr/bin', program), text, { mode: 0o755 });
  }
  const archive = join(folder, 'image.tar');
  execFileSync('tar', ['-C', root, '-cf', archive, '.']);
  const all = ['ENV PATH=/usr/bin:/bin', ...changes].flatMap((change) => ['--change', change]);
  const other = architecture ? ['--arch', architecture] : [];
  execFileSync(podman, ['import', ...other, ...all, archive, name], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  rmSync(root, { recursive: true });
}
