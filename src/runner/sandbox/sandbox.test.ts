// Slow: a process fills its memory, and others read as users of the machine.

import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../../test/helpers/seed.ts';
import { makeRunUsers } from '../../../test/helpers/unix-user.ts';
import type { RunUser } from '../../node/process/run-users.ts';
import { insideOnly, placeOf, readFiles, readNotedBackend, readStates } from './sandbox.ts';
import type { StateContent } from './terraform-files.ts';
import { MAX_BYTES } from './inside.ts';

/** A checkout with all that may lie in one, and a file beside it that is not its own. */
async function makeCheckout(): Promise<{ root: string; outside: string }> {
  const outside = await folder();
  await writeFile(join(outside, 'secret'), 'roles_path = canary\n');
  const root = join(outside, 'checkout');
  await mkdir(join(root, 'real/deep'), { recursive: true });
  await writeFile(join(root, 'real/text'), 'hello\n');
  await writeFile(join(root, 'large'), Buffer.alloc(MAX_BYTES + 1, 0x61));
  await writeFile(join(root, 'largest'), Buffer.alloc(MAX_BYTES, 0x61));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const links = {
    out: '../secret',
    absolute: join(outside, 'secret'),
    absent: '../nothing-here',
    zero: '/dev/zero',
    folder: 'real',
    inner: 'folder/text',
    'real/deep/up': '../../inner',
    'real/deep/parent': '../../..',
    self: 'self',
    nowhere: 'real/gone',
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, join(root, name));
  return { root, outside };
}

async function read(root: string, paths: string[], user: RunUser | null = null) {
  const said: string[] = [];
  const wanted = paths.map((path) => ({ root, path, as: 'text' as const }));
  const signal = AbortSignal.timeout(120_000);
  const say = async (lines: string[]) => void said.push(...lines);
  const files = await readFiles(wanted, { user, signal, say });
  return { texts: files.map((file) => file?.text ?? null), said };
}

test('reads regular files, also by links that stay inside, and says what it refuses', async () => {
  const { root } = await makeCheckout();
  const inside = ['real/text', 'inner', 'folder/text', 'real/deep/up', 'real/../folder/./text'];
  expect(await read(root, [...inside, 'gone', 'real/text/more', 'nowhere', 'real'])).toEqual({
    texts: ['hello\n', 'hello\n', 'hello\n', 'hello\n', 'hello\n', null, null, null, null],
    said: ['real is not read: it is not a regular file.'],
  });
  const out = ['out', 'absolute', 'absent', 'zero', 'self', 'real/deep/parent/secret', '../secret'];
  const leads = out.map((path) => `${path} is not read: it leads out of the repository.`);
  expect(await read(root, out)).toEqual({ texts: out.map(() => null), said: leads });
  const { texts, said } = await read(root, ['large', 'largest', 'pipe']);
  expect(texts.map((text) => text?.length)).toEqual([undefined, MAX_BYTES, undefined]);
  expect(said).toEqual([
    'large is not read: it is larger than 256 KiB.',
    'pipe is not read: it is not a regular file.',
  ]);
});

test('reads as the user that tasks run as', async () => {
  const { root, outside } = await makeCheckout();
  const [user = null] = makeRunUsers(1);
  await chmod(outside, 0o755);
  await writeFile(join(root, 'closed'), 'for the server alone', { mode: 0o600 });
  expect(await read(root, ['inner', 'closed'], user)).toEqual({
    texts: ['hello\n', null],
    said: ['closed is not read: it cannot be read by the user that tasks run as.'],
  });
  // Of the whole machine too: a setting may name any path.
  expect((await read('/', [join(root, 'closed')], user)).texts).toEqual([null]);
  expect((await read('/', [join(root, 'inner')], user)).texts).toEqual(['hello\n']);
});

test('does not tell whether something is there that a link outside leads to', async () => {
  const { root } = await makeCheckout();
  const words = (path: string): string => `The playbook "${path}" lies outside the repository.`;
  for (const path of ['out', 'absent', 'absolute', 'real/deep/parent/secret', '../secret']) {
    expect(() => insideOnly(root, path, 'playbook')).toThrow(words(path));
  }
  expect(insideOnly(root, 'real/deep/up', 'playbook')).toBe(join(root, 'real/text'));
  expect(() => insideOnly(root, 'gone', 'playbook')).toThrow('is not in the repository');
});

test('a text that takes too much memory is given up, and the server goes on', async () => {
  const root = await folder();
  await writeFile(join(root, 'requirements.yml'), `roles: [${'?,'.repeat(130_000)}]`);
  const said: string[] = [];
  const wanted = [{ root, path: 'requirements.yml', as: 'requirements' as const }];
  const signal = AbortSignal.timeout(120_000);
  const say = async (lines: string[]) => void said.push(...lines);
  const [file] = await readFiles(wanted, { user: null, signal, say });
  expect(file === null).toBe(true);
  expect(said).toEqual(['requirements.yml is not read: it takes too much memory or time to read.']);
});

test('reads the backend that Terraform has noted', async () => {
  const root = await folder();
  const path = join(root, 'terraform.tfstate');
  const place = placeOf(['/elsewhere', root], path);
  expect([place, placeOf([], path).root]).toEqual([{ root, path: 'terraform.tfstate' }, '/']);
  const access = { user: null, signal: AbortSignal.timeout(120_000) };
  expect(await readNotedBackend(place, access)).toBe(null);
  await writeFile(path, '{"version":3,"backend":{"type":"s3","config":{"path":7}}}');
  expect(await readNotedBackend(place, access)).toEqual({
    type: 's3',
    path: null,
    workspaceDir: null,
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  await writeFile(path, '{"version":3}');
  expect(await readNotedBackend(place, access)).toBe(null);
  await writeFile(path, '{');
  await expect(readNotedBackend(place, access)).rejects.toThrow('it is not valid JSON');
});

const nameless = { serial: null, lineage: null };

test.each<[string, StateContent]>([
  ['', { is: 'empty' }],
  ['{"version":4,', { is: 'damaged' }],
  ['[]', { is: 'damaged' }],
  ['{"version":4}', { is: 'damaged' }],
  ['{"version":3,"backend":{"type":"s3"}}', { is: 'other' }],
  ['{"name":"x"}', { is: 'other' }],
  [
    '{"version":4,"serial":7,"lineage":"a-b","resources":[]}',
    { is: 'state', objects: 0, serial: 7, lineage: 'a-b' },
  ],
  ['{"meta":{},"encrypted_data":"x"}', { is: 'state', objects: null, ...nameless }],
  [
    '{"version":3,"modules":[{"resources":{"a":{},"b":{}}}]}',
    { is: 'state', objects: 2, ...nameless },
  ],
  [
    '{"version":4,"resources":[{"mode":"data","instances":[{}]},{"mode":"managed","instances":[{},{}]}]}',
    { is: 'state', objects: 2, ...nameless },
  ],
])('counts the objects of a state: %s', async (text, content) => {
  const root = await folder();
  await writeFile(join(root, 'state'), text);
  const files = ['state', 'absent'].map((path) => ({ root, path }));
  expect(await readStates(files, null)).toEqual([content, { is: 'absent' }]);
});
