// The image of the tests: a Debian with Ansible, made by debootstrap where no registry of images is reached. Its files
// are kept for later runs.

import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestPodman } from '../../helpers/containers.ts';

const kept = join(import.meta.dirname, '../../../.setup/toolchains');
const release = 'bookworm';
const packages = ['ansible-core', 'git', 'openssh-client', 'python3-venv', 'sshpass'];

const run = (command: string, args: string[]): void => {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
};

/** Makes the archive of the image's files if it is not there, which takes minutes, and returns its path. */
export function buildArchive(): string {
  const key = createHash('sha256').update([release, ...packages].join(' '));
  const archive = join(kept, `image-${key.digest('hex').slice(0, 16)}.tar`);
  if (existsSync(archive)) return archive;
  mkdirSync(kept, { recursive: true });
  const place = mkdtempSync(join(kept, 'image-'));
  try {
    const root = join(place, 'root');
    fill(root);
    const whole = join(place, 'whole.tar');
    run('tar', ['-C', root, '-cf', whole, '.']);
    renameSync(whole, archive);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  return archive;
}

/** Debootstrap alone would configure the packages before those that they need. */
function fill(root: string): void {
  // What it mounts is unmounted with its end.
  const apart = ['--mount', '--pid', '--fork'];
  run('unshare', [...apart, 'debootstrap', '--variant=minbase', release, root]);
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  const install = `apt-get install --yes --quiet=2 --no-install-recommends ${packages.join(' ')}`;
  const lines = [
    'mount -t proc proc /proc',
    'export DEBIAN_FRONTEND=noninteractive',
    'apt-get update --quiet=2',
    install,
    'apt-get clean',
    'rm -rf /var/lib/apt/lists/*',
  ];
  run('unshare', [...apart, 'chroot', root, 'sh', '-ec', lines.join('\n')]);
}

/** Adds a program of this machine to an image. */
export function addProgram({ podman }: TestPodman, image: string, program: string): void {
  const container = podman('create', image, 'sh').trim();
  podman('cp', program, `${container}:/usr/local/bin/`);
  podman('commit', '--quiet', container, image);
  podman('rm', container);
}

const builder = join(kept, 'ansible-builder-3.1.1');

/** A folder whose program is ansible-builder. */
export const builderFolder = join(builder, 'bin');

export function installBuilder(): void {
  if (existsSync(join(builderFolder, 'ansible-builder'))) return;
  run('python3', ['-m', 'venv', builder]);
  run(join(builderFolder, 'pip'), ['install', '--quiet', 'ansible-builder==3.1.1']);
}
