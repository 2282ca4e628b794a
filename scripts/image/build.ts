// Builds the image of deploy/Dockerfile, and measures it.

import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildah, output, program } from '../trial/programs.ts';
import type { Bases } from './bases.ts';

const checkout = join(import.meta.dirname, '../..');
export const builtName = 'localhost/signalbox-test';

/** Builds the image and returns the seconds that it took; steps that have not changed are not repeated. */
export function buildImage({ base, buildBase }: Bases): number {
  const started = performance.now();
  const how = ['--layers', '--isolation', 'chroot', '--network', 'host', '--tag', builtName];
  const from = ['--file', 'deploy/Dockerfile', '--ignorefile', 'deploy/Dockerfile.dockerignore'];
  const revision = output('git', ['-C', checkout, 'rev-parse', 'HEAD']).trim();
  const values = [`BASE=${base}`, `BUILD_BASE=${buildBase}`, `REVISION=${revision}`];
  const given = values.map((value) => `--build-arg=${value}`);
  execFileSync('buildah', ['bud', ...how, ...from, ...given, '.'], {
    cwd: checkout,
    stdio: 'inherit',
  });
  return (performance.now() - started) / 1000;
}

export interface Sizes {
  /** Of all files, in megabytes. */
  unpacked: number;
  /** Of what a registry stores and sends, in megabytes. */
  packed: number;
}

export function sizesOf(image: string, root: string): Sizes {
  const unpacked = Number(output('du', ['-sx', '--block-size=1', root]).split('\t')[0]);
  const folder = join(tmpdir(), `signalbox-image-${process.pid}`);
  try {
    program('buildah', ['push', '--quiet', image, `oci:${folder}`]);
    const blobs = globSync('blobs/sha256/*', { cwd: folder });
    const packed = blobs.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
    return { unpacked: unpacked / 1e6, packed: packed / 1e6 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function labelsOf(image: string): Record<string, string> {
  const about = JSON.parse(buildah('inspect', '--type', 'image', image)) as {
    OCIv1: { config: { Labels: Record<string, string> } };
  };
  return about.OCIv1.config.Labels;
}

export const packageVersion = (
  JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string }
).version;
