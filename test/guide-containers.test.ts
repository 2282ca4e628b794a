// The commands of execution-environments.md that need an engine for containers, with a real podman and a real registry.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocks } from './guide/blocks.ts';
import { startPodman, type TestPodman } from './helpers/containers.ts';
import { startRegistry, type Registry } from './helpers/registry.ts';
import { folder } from './helpers/seed.ts';

const shown = 'registry.example.com/team/ansible:2.19';
let podman: TestPodman;
let registry: Registry;

beforeAll(async () => {
  podman = startPodman();
  registry = await startRegistry();
});

afterAll(async () => {
  podman.close();
  await registry.close();
});

/** The block of the page that contains the words. */
const blockWith = (words: string): string =>
  blocks.find(({ page, text }) => page === 'execution-environments.md' && text.includes(words))
    ?.text ?? '';

/** Runs a block in the folder, which is also the home of its user. */
const runBlock = (words: string, cwd: string): string =>
  execFileSync('sh', ['-ec', blockWith(words).replaceAll('registry.example.com', registry.host)], {
    cwd,
    env: { PATH: podman.path, HOME: cwd },
    encoding: 'utf8',
  });

const imageHere = (): string => shown.replace('registry.example.com', registry.host);

test('an image comes to another machine as a file', async () => {
  const place = await folder();
  podman.makeImage(imageHere());
  const digest = podman.podman('image', 'inspect', '--format', '{{.Id}}', imageHere());
  runBlock('podman save', place);
  podman.podman('rmi', imageHere());
  expect(runBlock('podman load', place)).toContain('sha256:');
  expect(podman.podman('image', 'inspect', '--format', '{{.Id}}', imageHere())).toBe(digest);
});

test('the login of the runner is kept in its home, and later pulls use it', async () => {
  const home = await folder();
  podman.makeImage(imageHere());
  podman.podman('push', '--quiet', `--creds=${registry.login}:${registry.password}`, imageHere());
  podman.podman('rmi', imageHere());
  const pull = () =>
    execFileSync('podman', ['pull', '--quiet', imageHere()], {
      env: { PATH: podman.path, HOME: home },
      stdio: 'pipe',
    });
  expect(pull).toThrow('Command failed');
  writeFileSync(join(home, 'password'), registry.password);
  runBlock('podman login', home);
  expect(readFileSync(join(home, '.config/containers/auth.json'), 'utf8')).toContain(registry.host);
  expect(pull).not.toThrow();
});

test('the two lines make an image with Terraform', async () => {
  const place = await folder();
  podman.makeImage('localhost/debian:1');
  const lines = blockWith('COPY terraform').replace(/FROM .*/, 'FROM localhost/debian:1');
  writeFileSync(join(place, 'Containerfile'), lines);
  mkdirSync(join(place, 'bin'));
  copyFileSync('/bin/busybox', join(place, 'terraform'));
  podman.podman('build', '--quiet', '--tag', 'localhost/terraform:1', place);
  const seen = podman.podman('run', '--rm', 'localhost/terraform:1', 'ls', '/usr/local/bin');
  expect(seen.trim()).toBe('terraform');
});

test('the unit of a runner with a user of its own has what that of the server has', () => {
  const unit = readFileSync('deploy/signalbox.service', 'utf8').split('\n');
  const lines = blockWith('Description=Signalbox runner').split('\n');
  const common = ['KillMode=process', 'Delegate=yes', 'Restart=on-failure'];
  for (const line of common)
    expect([unit, lines]).toEqual([unit, lines].map(() => expect.arrayContaining([line])));
});
