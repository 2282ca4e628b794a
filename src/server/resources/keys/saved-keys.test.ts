// Release on PostgreSQL: the keys are loaded by ssh-add of the runner, without the database.
// Slow: ssh-keygen and ssh-add are started for keys of every kind.
// With the runner of a server and the real ssh-add.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { keys } from '#shared/api/keys.ts';
import { testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { pathWithout } from '../../../../test/helpers/path-without.ts';
import { opensslKey, publicKeyOf, sshKeygen } from '../../../../test/helpers/private-keys.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { openKey } from './keys.ts';

interface SshFields {
  private_key: string;
  passphrase?: string;
}

async function start(options: Parameters<typeof testApp>[0] = { runner: true }) {
  const app = await testApp(options);
  const { projectId } = await seedProject(app.admin, null);
  const params = { project_id: projectId };
  const create = (ssh: SshFields) =>
    app.admin.ask(keys.create, {
      params,
      body: { name: `Key ${randomUUID()}`, type: 'ssh' as const, ssh },
    });
  return { app, projectId, params, create };
}

const opened = async (app: TestApp, projectId: number, id: number): Promise<string> => {
  const key = await openKey(app.ctx, projectId, id);
  return key.type === 'ssh' ? key.private_key : '';
};

test('a key whose whitespace is damaged is mended when it is saved', async () => {
  const { app, projectId, create } = await start();
  const key = await sshKeygen();
  const { status, body } = await create({ private_key: key.replaceAll('\n', '\r\n    ') });
  expect(status).toBe(201);
  expect(await opened(app, projectId, body.id)).toBe(key);
});

test('an Ed25519 key of openssl is converted when it is saved', async () => {
  const { app, projectId, create } = await start();
  const { status, body } = await create({ private_key: await opensslKey('ED25519') });
  expect(status).toBe(201);
  expect(await publicKeyOf(await opened(app, projectId, body.id))).toMatch(/^ssh-ed25519 /);
});

test('a key that runs could not load is refused with the reason at its field', async () => {
  const { create } = await start();
  const secret = await sshKeygen({ passphrase: 'canary horse' });
  const strange = await opensslKey('X25519', 'canary horse');
  const plain = await sshKeygen();
  const broken = plain.replace('b3BlbnNzaC1rZXk', 'AAAAAAAAAAAAAAA');
  const cases: [ssh: SshFields, path: string, code: string][] = [
    [{ private_key: secret }, 'ssh.passphrase', 'key.passphrase_required'],
    [{ private_key: secret, passphrase: 'canary 2' }, 'ssh.passphrase', 'key.passphrase_wrong'],
    [
      { private_key: strange, passphrase: 'canary horse' },
      'ssh.private_key',
      'key.private_key_format',
    ],
    [{ private_key: broken }, 'ssh.private_key', 'key.private_key_unreadable'],
    [{ private_key: await publicKeyOf(plain) }, 'ssh.private_key', 'key.private_key_public'],
    [{ private_key: handleOfSecurityKey() }, 'ssh.private_key', 'key.private_key_hardware'],
  ];
  for (const [ssh, path, code] of cases) {
    const { status, body } = await create(ssh);
    expect([status, body.fields]).toMatchObject([400, [{ path, code }]]);
    const text = JSON.stringify(body);
    expect(text).not.toContain('canary');
    expect(text).not.toContain(ssh.private_key.split('\n')[1] ?? ssh.private_key);
  }
});

/** The beginning of such a file, which is all that is looked at. */
function handleOfSecurityKey(): string {
  const field = (text: string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([length, Buffer.from(text)]);
  };
  const none = [field('none'), field('none'), field('')];
  const type = field('sk-ssh-ed25519@openssh.com').toString('latin1');
  const bytes = [Buffer.from('openssh-key-v1\0'), ...none, Buffer.from([0, 0, 0, 1]), field(type)];
  const name = 'OPENSSH PRIVATE KEY';
  const body = Buffer.concat(bytes).toString('base64');
  return `-----BEGIN ${name}-----\n${body}\n-----END ${name}-----\n`;
}

test('a change is refused in the same way, and one that keeps the secret loads nothing', async () => {
  const { app, projectId, params, create } = await start();
  const key = await sshKeygen({ passphrase: 'good' });
  const { body: made } = await create({ private_key: key, passphrase: 'good' });
  const change = (body: object) =>
    app.admin.ask(keys.update, {
      params: { ...params, key_id: made.id },
      body: { name: made.name, type: 'ssh', ...body },
    });
  const ssh = { private_key: key, passphrase: 'bad' };
  const refused = await change({ override_secret: true, ssh });
  expect(refused.body).toMatchObject({ fields: [{ code: 'key.passphrase_wrong' }] });
  expect((await change({ ssh })).status).toBe(204);
  expect(await openKey(app.ctx, projectId, made.id)).toMatchObject({ passphrase: 'good' });
});

test('many keys at once are all answered', async () => {
  const { create } = await start();
  const key = await sshKeygen();
  const answers = await Promise.all(Array.from({ length: 12 }, () => create({ private_key: key })));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
});

test('a server without OpenSSH saves the key without loading it', async () => {
  const path = await pathWithout('ssh-add');
  const { create } = await start({ runner: true, config: { path } });
  const key = await sshKeygen({ passphrase: 'good' });
  expect((await create({ private_key: key, passphrase: 'bad' })).status).toBe(201);
});
