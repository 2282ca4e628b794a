// The two images that deploy/Dockerfile begins with, made where no registry of images is reached: a
// Debian by debootstrap, as small as `debian:trixie-slim`, and the same with npm and a Node.

import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildah, output, program } from '../trial/programs.ts';

const madeBase = 'localhost/signalbox-test-base';
const madeBuildBase = 'localhost/signalbox-test-build-base';

export interface Bases {
  base: string;
  buildBase: string;
}

/** Makes both images, unless an earlier run has left them. */
export function makeBases(isFresh: boolean): Bases {
  if (isFresh || !exists(madeBase)) imageOf(madeBase, 'scratch', debian);
  if (isFresh || !exists(madeBuildBase)) imageOf(madeBuildBase, madeBase, npmAndNode);
  return { base: madeBase, buildBase: madeBuildBase };
}

const exists = (name: string): boolean =>
  output('buildah', ['images', '--format', '{{.Name}}']).split('\n').includes(name);

function imageOf(name: string, from: string, fill: (root: string) => void): void {
  const container = buildah('from', from);
  try {
    fill(buildah('mount', container));
    buildah('unmount', container);
    buildah('commit', '--quiet', container, name);
  } finally {
    buildah('rm', container);
  }
}

// What the slim images of Debian leave out as well.
const leftOut = [
  '/usr/share/man/*',
  '/usr/share/info/*',
  '/usr/share/locale/*',
  '/usr/share/doc/*',
];

function debian(root: string): void {
  const draft = mkdtempSync(join(tmpdir(), 'signalbox-debian-'));
  try {
    program('debootstrap', ['--variant=minbase', 'trixie', draft]);
    const lines = leftOut.map((path) => `path-exclude ${path}\n`);
    writeFileSync(
      join(draft, 'etc/dpkg/dpkg.cfg.d/slim'),
      `${lines.join('')}path-include /usr/share/doc/*/copyright\n`,
    );
    for (const folder of ['man', 'info', 'locale']) {
      rmSync(join(draft, 'usr/share', folder), { recursive: true, force: true });
    }
    program('find', [
      join(draft, 'usr/share/doc'),
      '-type',
      'f',
      '!',
      '-name',
      'copyright',
      '-delete',
    ]);
    for (const folder of ['var/cache/apt/archives', 'var/lib/apt/lists']) {
      program('find', [join(draft, folder), '-type', 'f', '-delete']);
    }
    program('cp', ['-a', `${draft}/.`, root]);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The npm of this machine, and the Node of the packages. */
function npmAndNode(root: string): void {
  const command = realpathSync(output('sh', ['-c', 'command -v npm']).trim());
  const modules = join(root, 'usr/local/lib/node_modules');
  mkdirSync(modules, { recursive: true });
  program('cp', ['-a', dirname(dirname(command)), join(modules, 'npm')]);
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
}
