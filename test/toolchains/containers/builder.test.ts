// The image that execution-environments.md makes with ansible-builder, which comes from PyPI and gets a stand-in for
// podman, since the base of the image lies in a registry.

import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocks } from '../../guide/blocks.ts';
import { folder } from '../../helpers/seed.ts';
import { builderFolder, installBuilder } from './image.ts';

const blockWith = (words: string): string =>
  blocks.find(({ page, text }) => page === 'execution-environments.md' && text.includes(words))
    ?.text ?? '';

test('ansible-builder makes the image of the guide', async () => {
  installBuilder();
  const place = await folder();
  await writeFile(join(place, 'execution-environment.yml'), blockWith('version: 3'));
  const bin = await folder();
  const standIn = (name: string, text: string) =>
    writeFile(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  await standIn('podman', `echo "$*" >>${join(bin, 'calls')}`);
  await standIn('pip', 'exit 0');
  execFileSync('sh', ['-ec', blockWith('ansible-builder build')], {
    cwd: place,
    env: { PATH: `${bin}:${builderFolder}:/usr/bin:/bin`, HOME: place },
    stdio: 'pipe',
  });
  const calls = await readFile(join(bin, 'calls'), 'utf8');
  expect(calls).toMatch(/^build .*--?t(?:ag)?[= ]registry\.example\.com\/team\/ansible:2\.19/m);
  expect(calls).toContain('push registry.example.com/team/ansible:2.19\n');
  const containerfile = await readFile(join(place, 'context/Containerfile'), 'utf8');
  expect(containerfile).toContain('ansible-core==2.19.*');
  // Where the guide says that collections lie.
  expect(containerfile).toContain('--collections-path "/usr/share/ansible/collections"');
  const requirements = await readFile(join(place, 'context/_build/requirements.yml'), 'utf8');
  expect(requirements).toContain('community.general');
});
