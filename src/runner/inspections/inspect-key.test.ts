// Slow: ssh-keygen, openssl and ssh-add are started for keys of every kind.
// With the real ssh-add, and keys that ssh-keygen and openssl have made.

import { chmod, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { KeyDefect } from '#shared/api/runner-api.ts';
import { opensslKey, sshKeygen } from '../../../test/helpers/private-keys.ts';
import { runnerSettings } from '../../../test/helpers/runner-settings.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { InspectionRunner } from './inspection-runner.ts';

async function inspectKey(privateKey: string, passphrase = ''): Promise<KeyDefect | null> {
  const config = await runnerSettings();
  const key = { type: 'ssh', login: '', passphrase, private_key: privateKey } as const;
  const seen = await new InspectionRunner(config).run(
    { kind: 'key' },
    { own: key, byHost: [] },
    60_000,
  );
  if (seen?.kind !== 'key') throw new Error(JSON.stringify(seen));
  expect(await readdir(join(config.dataDir, 'runs'))).toEqual([]);
  return seen.seen;
}

test('loads the keys that ssh-keygen makes', async () => {
  for (const type of ['ed25519', 'rsa', 'ecdsa'] as const) {
    expect(await inspectKey(await sshKeygen({ type }))).toBeNull();
    const [key, inPem] = [
      await sshKeygen({ type, passphrase: 'correct horse' }),
      await sshKeygen({ type, passphrase: 'correct horse', format: 'PEM' }),
    ];
    for (const one of [key, inPem]) {
      expect(await inspectKey(one, 'correct horse')).toBeNull();
      expect(await inspectKey(one, 'wrong')).toBe('passphrase_wrong');
      expect(await inspectKey(one)).toBe('passphrase_missing');
    }
  }
});

test('loads keys in PKCS#8 with a passphrase, and several keys', async () => {
  const encrypted = await opensslKey('RSA', 'correct horse');
  expect(await inspectKey(encrypted, 'correct horse')).toBeNull();
  expect(await inspectKey(encrypted, 'wrong')).toBe('passphrase_wrong');
  const both = `${await sshKeygen({ passphrase: 'one' })}${await sshKeygen({ type: 'rsa' })}`;
  expect(await inspectKey(both, 'one')).toBeNull();
  expect(await inspectKey(both, 'two')).toBe('passphrase_wrong');
  expect(await inspectKey(both)).toBe('passphrase_missing');
});

test('takes a passphrase that a key does not need', async () => {
  expect(await inspectKey(await sshKeygen(), 'unneeded')).toBeNull();
});

test('tells a format that OpenSSH does not read from a key that is damaged', async () => {
  expect(await inspectKey(await opensslKey('X25519'))).toBe('unreadable');
  expect(await inspectKey(await opensslKey('X25519', 'correct horse'), 'correct horse')).toBe(
    'format',
  );
  expect(await inspectKey(await opensslKey('X25519', 'correct horse'), 'wrong')).toBe(
    'passphrase_wrong',
  );
  const key = await sshKeygen();
  const lines = key.split('\n');
  expect(await inspectKey([...lines.slice(0, 2), ...lines.slice(3)].join('\n'))).toBe('unreadable');
  expect(await inspectKey(key.replace('b3BlbnNzaC1rZXk', 'AAAAAAAAAAAAAAA'))).toBe('unreadable');
});

test('ends the program when a key takes too long to load', async () => {
  const programs = await folder();
  await writeFile(join(programs, 'ssh-add'), '#!/bin/sh\nexec sleep 600\n');
  await chmod(join(programs, 'ssh-add'), 0o755);
  const config = await runnerSettings({ path: `${programs}:/usr/bin:/bin` });
  const key = { type: 'ssh', login: '', passphrase: '', private_key: await sshKeygen() } as const;
  const seen = await new InspectionRunner(config).run(
    { kind: 'key' },
    { own: key, byHost: [] },
    2_000,
  );
  expect(seen?.kind).toBe('failed');
  expect(await readdir(join(config.dataDir, 'runs'))).toEqual([]);
});
