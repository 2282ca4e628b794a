import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keys } from '#shared/api/keys.ts';
import { testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { readStored } from '../../../../test/helpers/stored.ts';
import { openKey } from './keys.ts';

const privateKey = [
  '-----BEGIN OPENSSH PRIVATE KEY-----',
  'c2VjcmV0LWtleS1ieXRlcw==',
  '-----END OPENSSH PRIVATE KEY-----',
].join('\n');
const login = { login: 'deploy', password: 'hunter2-password' };
const ssh = { login: 'git', passphrase: 'hunter2-passphrase', private_key: privateKey };
const secrets = ['hunter2', 'c2VjcmV0LWtleS1ieXRlcw', 'deploy'];

function expectNoSecret(text: string): void {
  for (const secret of secrets) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString('base64').replace(/=*$/, ''));
  }
}

describe('keys', () => {
  const start = async () => {
    const app = await testApp();
    const { projectId } = await seedProject(app.admin, null);
    return { app, projectId, params: { project_id: projectId } };
  };

  test('never show their secrets, in any answer or in the database', async () => {
    const { app, params } = await start();
    const answers: unknown[] = [];
    for (const body of [
      { name: 'Password', type: 'login_password' as const, login_password: login },
      { name: 'Key', type: 'ssh' as const, ssh },
    ]) {
      const made = await app.admin.ask(keys.create, { params, body });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({
        type: body.type,
        empty: false,
        override_secret: false,
        login_password: { login: '', password: '' },
        ssh: { login: '', passphrase: '', private_key: '' },
      });
      const one = { params: { ...params, key_id: made.body.id } };
      answers.push(made.body, (await app.admin.ask(keys.one, one)).body);
    }
    const broken = { name: 'Key', type: 'ssh' as const, ssh: { ...ssh, login: 'x'.repeat(300) } };
    answers.push((await app.admin.ask(keys.create, { params, body: broken })).body);
    const taken = { name: 'Key', type: 'ssh' as const, ssh };
    answers.push((await app.admin.ask(keys.create, { params, body: taken })).body);
    answers.push(await app.admin.call(keys.list, { params }));
    expectNoSecret(JSON.stringify(answers));

    const rows = await app.ctx.db.selectFrom('keys').selectAll().execute();
    expect(rows.filter(({ secret }) => secret?.startsWith('v3:'))).toHaveLength(2);
    expectNoSecret(JSON.stringify(rows));
    const stored = await readStored(app.ctx.config);
    expect(stored.map(({ name }) => name)).toContain('table keys');
    for (const { bytes } of stored) expectNoSecret(bytes.toString('latin1'));
  });

  test('keep their secret when only the name changes', async () => {
    const { app, projectId, params } = await start();
    const body = { name: 'Password', type: 'login_password' as const, login_password: login };
    const { id } = await app.admin.call(keys.create, { params, body });
    const change = (fields: object) =>
      app.admin.call(keys.update, {
        params: { ...params, key_id: id },
        body: { name: 'Renamed', type: 'login_password', ...fields },
      });
    for (const fields of [
      {},
      { override_secret: false, login_password: { login: 'x', password: 'y' } },
      { type: 'ssh', ssh },
      { type: 'none' },
    ]) {
      await change(fields);
      expect(await openKey(app.ctx, projectId, id)).toEqual({ type: 'login_password', ...login });
    }
    const shown = await app.admin.call(keys.one, { params: { ...params, key_id: id } });
    expect(shown).toMatchObject({ name: 'Renamed', type: 'login_password', empty: false });
  });

  test('take another type and secret when told to', async () => {
    const { app, projectId, params } = await start();
    const { id } = await app.admin.call(keys.create, { params, body: { name: 'K', type: 'none' } });
    const one = { ...params, key_id: id };
    await app.admin.call(keys.update, {
      params: one,
      body: { name: 'K', type: 'ssh', ssh, override_secret: true },
    });
    expect(await openKey(app.ctx, projectId, id)).toEqual({
      type: 'ssh',
      ...ssh,
      private_key: `${privateKey}\n`,
    });
    const emptied = { name: 'K', type: 'ssh' as const, override_secret: true };
    const refused = await app.admin.ask(keys.update, { params: one, body: emptied });
    expect(refused.body.fields).toMatchObject([{ code: 'key.private_key_required' }]);
    await app.admin.call(keys.update, {
      params: one,
      body: { name: 'K', type: 'none', override_secret: true },
    });
    expect(await openKey(app.ctx, projectId, id)).toEqual({ type: 'none' });
    const row = await app.ctx.db
      .selectFrom('keys')
      .select(['type', 'secret'])
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row).toEqual({ type: 'none', secret: null });
  });
});

describe('the secret of a key', () => {
  const create = async (app: TestApp, projectId: number, body: object) =>
    app.admin.ask(keys.create, {
      params: { project_id: projectId },
      body: { name: `Key ${randomUUID()}`, ...body } as { name: string; type: 'ssh' },
    });

  test('is asked for in the words of its field', async () => {
    const app = await testApp();
    const { projectId } = await seedProject(app.admin, null);
    const cases: [body: object, path: string, code: string, message: string][] = [
      [{}, 'type', 'inventory.type_required', 'Type is required'],
      [
        { type: 'login_password' },
        'login_password.password',
        'user.password_required',
        'Password is required',
      ],
      [{ type: 'ssh' }, 'ssh.private_key', 'key.private_key_required', 'Private key is required'],
      [
        { type: 'ssh', ssh: { private_key: ' \n' } },
        'ssh.private_key',
        'key.private_key_required',
        'Private key is required',
      ],
      ...['hunter2', `x${privateKey}`].map((text): [object, string, string, string] => [
        { type: 'ssh', ssh: { private_key: text } },
        'ssh.private_key',
        'key.private_key_invalid',
        'This is not a private key in PEM or OpenSSH format',
      ]),
    ];
    for (const [body, path, code, message] of cases) {
      const answer = await create(app, projectId, body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(answer.body.fields).toMatchObject([{ path, code, message }]);
      expect(JSON.stringify(answer.body)).not.toContain('hunter2');
    }
  });

  test('has the line ends that ssh-add wants', async () => {
    const app = await testApp();
    const { projectId } = await seedProject(app.admin, null);
    for (const text of [privateKey.replaceAll('\n', '\r\n'), `\n${privateKey}\r\n\r\n`]) {
      const { body } = await create(app, projectId, { type: 'ssh', ssh: { private_key: text } });
      expect(await openKey(app.ctx, projectId, body.id)).toMatchObject({
        private_key: `${privateKey}\n`,
      });
    }
  });

  test('cannot be opened in another project, even when its row is moved there', async () => {
    const app = await testApp();
    const { projectId } = await seedProject(app.admin, null);
    const other = await seedProject(app.admin, null);
    const { body } = await create(app, projectId, {
      type: 'login_password',
      login_password: login,
    });
    await expect(openKey(app.ctx, other.projectId, body.id)).rejects.toMatchObject({
      code: 'key.not_found',
    });
    await app.ctx.db
      .updateTable('keys')
      .set({ project_id: other.projectId })
      .where('id', '=', body.id)
      .execute();
    await expect(openKey(app.ctx, other.projectId, body.id)).rejects.toThrow(
      'it was encrypted for another row',
    );
  });

  test('that is missing after a restore is told apart', async () => {
    const app = await testApp();
    const { projectId } = await seedProject(app.admin, null);
    const { body } = await create(app, projectId, {
      type: 'login_password',
      login_password: login,
    });
    await app.ctx.db.updateTable('keys').set({ secret: null }).where('id', '=', body.id).execute();
    const params = { project_id: projectId, key_id: body.id };
    expect((await app.admin.call(keys.one, { params })).empty).toBe(true);
    await expect(openKey(app.ctx, projectId, body.id)).rejects.toThrow('has no secret yet');
  });
});
