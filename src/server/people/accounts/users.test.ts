import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endWaitingOf } from '../../automation/tasks/admission/launch-rights.ts';
import { projects } from '#shared/api/projects.ts';
import { users } from '#shared/api/users.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { folder } from '../../../../test/helpers/seed.ts';
import { claimNext, launch, readTask } from '../../../../test/helpers/tasks.ts';
import { deleteUser } from './accounts.ts';
import { changeUser, createFirstAdmin, createUser, randomPassword } from '../users/users.ts';
import { listUsers } from '../users/users.store.ts';

const person = {
  username: 'Anna',
  name: 'Anna A',
  email: 'Anna@Example.com',
  password: 'a password',
  admin: false,
};

describe('users', () => {
  test('are the first administrator only in an empty installation', async () => {
    const app = await testApp();
    expect(await createFirstAdmin(app.ctx)).toBeNull();
    await app.ctx.db.deleteFrom('users').execute();
    const made = await createFirstAdmin(app.ctx);
    const password = expect.stringMatching(/^\w{20}$/);
    expect(made).toEqual({ login: 'admin', password, passwordFile: null });
    const admin = await app.signIn('admin', made?.password ?? '');
    const shown = await admin.call(users.current, {});
    expect(shown).toMatchObject({ username: 'admin', name: 'Administrator', admin: true });
    expect(shown.can_create_project).toBe(true);
    expect(await createFirstAdmin(app.ctx)).toBeNull();
  });

  test('do not have a given password printed', async () => {
    const admin = {
      login: 'Boss',
      password: 'one that is given',
      name: 'B',
      email: 'b@example.com',
    };
    const app = await testApp({ config: { admin } });
    await app.ctx.db.deleteFrom('users').execute();
    const made = { login: 'Boss', password: null, passwordFile: null };
    expect(await createFirstAdmin(app.ctx)).toEqual(made);
    await app.signIn('boss', 'one that is given');
  });

  test('have the first password in a file until the first sign-in, where that is set', async () => {
    const file = join(await folder(), 'first-password');
    await writeFile(file, 'an older one', { mode: 0o644 });
    const app = await testApp({ config: { firstPasswordFile: file } });
    await app.ctx.db.deleteFrom('users').execute();
    const made = { login: 'admin', password: null, passwordFile: file };
    expect(await createFirstAdmin(app.ctx)).toEqual(made);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const password = (await readFile(file, 'utf8')).trim();
    await createUser(app.ctx, person);
    await app.signIn('anna', person.password);
    expect((await stat(file)).size).toBe(21);
    expect(password).toMatch(/^\w{20}$/);
    await app.signIn('admin', password);
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  test('are not made when the file for the first password cannot be written', async () => {
    const file = join(await folder(), 'nowhere', 'first-password');
    const app = await testApp({ config: { firstPasswordFile: file } });
    await app.ctx.db.deleteFrom('users').execute();
    await expect(createFirstAdmin(app.ctx)).rejects.toThrow(
      `SIGNALBOX_FIRST_PASSWORD_FILE names a file that cannot be written (ENOENT): ${file}`,
    );
    expect(await listUsers(app.ctx.db)).toEqual([]);
  });

  test('share neither login nor e-mail address, whatever the case', async () => {
    const { ctx } = await testApp();
    await createUser(ctx, person);
    const sameLogin = { ...person, username: 'ANNA', email: 'other@example.com' };
    const sameEmail = { ...person, username: 'other', email: 'anna@example.COM' };
    await expect(createUser(ctx, sameLogin)).rejects.toMatchObject({ code: 'user.username_taken' });
    await expect(createUser(ctx, sameEmail)).rejects.toMatchObject({ code: 'user.email_taken' });
    const other = await createUser(ctx, { ...person, username: 'bert', email: 'b@example.com' });
    await expect(changeUser(ctx, other.id, { username: 'Anna' })).rejects.toMatchObject({
      code: 'user.username_taken',
    });
    await expect(changeUser(ctx, other.id, { email: 'ANNA@example.com' })).rejects.toMatchObject({
      code: 'user.email_taken',
    });
  });

  test('keep the spelling of login and e-mail address, and sign in with any', async () => {
    const app = await testApp();
    const body = {
      name: 'Ada',
      username: 'AdaL',
      email: 'Ada@Example.com',
      password: person.password,
    };
    const made = await app.admin.call(users.create, { body });
    expect(made).toMatchObject({ username: 'AdaL', email: 'Ada@Example.com' });
    for (const login of ['adal', 'ADAL', 'ada@example.COM'])
      await app.signIn(login, person.password);
    const params = { user_id: made.id };
    await app.admin.call(users.update, {
      params,
      body: { ...body, password: '', username: 'ADAL' },
    });
    const all = await app.admin.call(users.list, {});
    expect(all.map(({ username }) => username)).toEqual(['ADAL', 'root']);
    const same = { ...body, username: 'adal', email: 'other@example.com' };
    expect((await app.admin.ask(users.create, { body: same })).body.code).toBe(
      'user.username_taken',
    );
  });

  test('without a password cannot sign in until one is set', async () => {
    const app = await testApp();
    const body = { name: 'Ada', username: 'ada', email: 'ada@example.com' };
    const made = await app.admin.call(users.create, { body });
    expect(made.external).toBe(false);
    for (const password of ['x', person.password]) {
      await expect(app.signIn('ada', password)).rejects.toThrow('Incorrect login or password');
    }
    const params = { user_id: made.id };
    await app.admin.call(users.password, { params, body: { password: person.password } });
    await app.signIn('ada', person.password);
  });

  test('may create projects if an administrator says so, whatever the setting', async () => {
    for (const usersCreateProjects of [false, true]) {
      const app = await testApp({ config: { usersCreateProjects } });
      const anna = await app.user('anna');
      const params = { user_id: anna.userId };
      const mayCreate = async () => (await anna.call(users.current, {})).can_create_project;
      expect(await mayCreate()).toBe(usersCreateProjects);
      const { body } = await app.admin.ask(users.one, { params });
      await app.admin.call(users.update, { params, body });
      const change = { ...body, can_create_project: !usersCreateProjects };
      const own = await anna.ask(users.update, { params, body: change });
      expect(own.body.code).toBe('permission.admin_required');
      await app.admin.call(users.update, { params, body: change });
      expect(await mayCreate()).toBe(!usersCreateProjects);
      expect((await app.admin.call(users.one, { params })).can_create_project).toBe(
        !usersCreateProjects,
      );
      const answer = await anna.ask(projects.create, { body: { name: 'Mine' } });
      expect(answer.status).toBe(usersCreateProjects ? 403 : 201);
      // A change that does not name the right keeps it.
      const { can_create_project: _right, ...rest } = body;
      await app.admin.call(users.update, { params, body: { ...rest, name: 'Anna B.' } });
      expect(await mayCreate()).toBe(!usersCreateProjects);
    }
  });

  test('keep at least one administrator', async () => {
    const app = await testApp();
    const root = await app.admin.call(users.current, {});
    await expect(deleteUser(app.ctx, root.id, endWaitingOf)).rejects.toMatchObject({
      code: 'user.last_admin',
    });
    const second = await createUser(app.ctx, { ...person, admin: true });
    await deleteUser(app.ctx, second.id, endWaitingOf);
    expect((await app.admin.ask(users.current, {})).status).toBe(200);
  });

  test('are shown to themselves without the hash of their password', async () => {
    const app = await testApp();
    const anna = await app.user('anna');
    const { body } = await anna.ask(users.current, {});
    expect(body).toEqual({
      id: anna.userId,
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      username: 'anna',
      name: 'anna',
      email: 'anna@example.com',
      admin: false,
      external: false,
      alert: false,
      second_factor: false,
      can_create_project: false,
      second_factor_setup: false,
    });
  });

  test('are signed out when they are deleted', async () => {
    const app = await testApp();
    const anna = await app.user('anna');
    await deleteUser(app.ctx, anna.userId, endWaitingOf);
    expect((await anna.ask(users.current, {})).status).toBe(401);
  });

  test('leave their tasks whole when they are deleted', async () => {
    const { app, seed } = await appWithProject(null);
    const anna = await app.member(seed.projectId, 'owner');
    const template = await seed.template();
    const task = await launch(anna, seed.projectId, { template_id: template.id });
    const confirmed = { status: 'confirmed', confirmed_by: anna.userId } as const;
    await app.ctx.db.updateTable('tasks').set(confirmed).execute();
    await deleteUser(app.ctx, anna.userId, endWaitingOf);
    const left = await readTask(app.admin, task);
    expect(left).toMatchObject({ status: 'confirmed', user_id: null, user_name: null });
    expect(left.confirmed_by).toBeNull();
    expect((await claimNext(app.ctx))?.snapshot.username).toBe(task.user_name);
  });
});

test('passwords that are made up differ and have no letters that look alike', () => {
  const made = Array.from({ length: 50 }, () => randomPassword(20));
  expect(new Set(made).size).toBe(50);
  expect(made.join('')).toMatch(/^[a-km-zA-HJ-NP-Z2-9]+$/);
});
