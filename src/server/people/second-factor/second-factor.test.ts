import { describe, expect, test } from 'vitest';
import { events } from '#shared/api/events.ts';
import { secondFactor } from '#shared/api/second-factor.ts';
import { session } from '#shared/api/session.ts';
import { newToken, tokens } from '#shared/api/tokens.ts';
import { users } from '#shared/api/users.ts';
import { password, testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { codeOf, withSecondFactor } from '../../../../test/helpers/second-factor.ts';

const codes = async (app: TestApp) =>
  (await app.admin.call(events.list, {})).map(({ code }) => code);

describe('a second factor', () => {
  test('is set up with a code and the password, which ends other sessions', async () => {
    const app = await testApp();
    const anna = await app.user('anna');
    const elsewhere = await app.signIn('anna', password);
    const none = { active: false, required: false, available: true, recovery_codes: 0 };
    expect(await anna.call(secondFactor.state, {})).toEqual(none);
    const { secret, uri } = await anna.call(secondFactor.start, {});
    expect(uri).toContain(`secret=${secret}`);
    expect(uri).toContain('Signalbox:anna');
    const code = codeOf(secret, app.clock.now());
    const confirm = (body: { code: string; password: string }) =>
      anna.ask(secondFactor.confirm, { body });
    expect((await confirm({ code, password: 'a guess' })).body.fields).toMatchObject([
      { path: 'password', code: 'user.password_wrong' },
    ]);
    expect((await confirm({ code: '000000', password })).body.fields).toMatchObject([
      { path: 'code', code: 'second_factor.code_wrong' },
    ]);
    expect((await elsewhere.ask(users.current, {})).status).toBe(200);
    const confirmed = await confirm({ code, password });
    expect(confirmed.body.recovery_codes).toHaveLength(10);
    expect((await anna.call(users.current, {})).second_factor).toBe(true);
    expect((await elsewhere.ask(users.current, {})).status).toBe(401);
    expect(await anna.call(secondFactor.state, {})).toEqual({
      ...none,
      active: true,
      recovery_codes: 10,
    });
    expect((await anna.ask(secondFactor.start, {})).body.code).toBe('second_factor.active');
    expect((await confirm({ code, password })).body.code).toBe('second_factor.active');
    expect(await codes(app)).toContain('user.second_factor_added');
  });

  test('keeps its secret sealed and its recovery codes as hashes', async () => {
    const app = await testApp();
    const { secret, recoveryCodes } = await withSecondFactor(app, app.admin);
    const [one] = recoveryCodes;
    const stored = JSON.stringify([
      await app.ctx.db.selectFrom('users').selectAll().execute(),
      await app.ctx.db.selectFrom('recovery_codes').selectAll().execute(),
      await app.ctx.db.selectFrom('events').selectAll().execute(),
    ]);
    expect(stored).toContain('second_factor_secret":"v3:');
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(one);
    expect(stored).not.toContain(one?.replaceAll('-', ''));
  });

  test('is asked for after the password only', async () => {
    const app = await testApp();
    const { code } = await withSecondFactor(app, app.admin);
    const ask = async (body: { auth: string; password: string; code?: string }) => {
      const answer = await app.nobody.ask(session.signIn, { body });
      return [answer.status, answer.body.code, answer.headers['set-cookie'] !== undefined];
    };
    const wrong = { auth: 'root', password: 'a guess' };
    expect(await ask(wrong)).toEqual([401, 'session.bad_credentials', false]);
    expect(await ask({ ...wrong, code: code() })).toEqual([401, 'session.bad_credentials', false]);
    const right = { auth: 'root', password };
    expect(await ask({ ...right, code: '' })).toEqual([401, 'session.code_required', false]);
    expect(await ask({ ...right, code: '000000' })).toEqual([401, 'session.wrong_code', false]);
    expect(await ask({ ...right, code: code(3) })).toEqual([401, 'session.wrong_code', false]);
    const spaced = `${code().slice(0, 3)} ${code().slice(3)}`;
    expect(await ask({ ...right, code: spaced })).toEqual([204, undefined, true]);
    expect(await codes(app)).toContain('session.code_refused');
  });

  test('is removed with the password, and other sessions end', async () => {
    const app = await testApp();
    const { code } = await withSecondFactor(app, app.admin);
    const elsewhere = await app.signIn('root', password, code());
    const remove = (secret: string) =>
      app.admin.ask(secondFactor.remove, { body: { password: secret } });
    expect((await remove('a guess')).body.fields).toMatchObject([{ path: 'password' }]);
    expect((await remove(password)).status).toBe(204);
    expect((await elsewhere.ask(users.current, {})).status).toBe(401);
    expect((await remove(password)).body.code).toBe('second_factor.not_active');
    await app.signIn('root', password);
    expect(await app.ctx.db.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
  });

  test('of somebody else is removed by administrators, not by others and not their own', async () => {
    const app = await testApp();
    const anna = await app.user('anna');
    await withSecondFactor(app, anna);
    await withSecondFactor(app, app.admin);
    const of = ({ userId }: { userId: number }) => ({ params: { user_id: userId } });
    const other = await app.user('other');
    const refused = await other.ask(users.removeSecondFactor, of(anna));
    expect(refused.body.code).toBe('permission.admin_required');
    const lower = await anna.ask(users.removeSecondFactor, of(app.admin));
    expect(lower.body.code).toBe('permission.admin_required');
    const own = await app.admin.ask(users.removeSecondFactor, of(app.admin));
    expect([own.status, own.body.code]).toEqual([403, 'second_factor.own']);
    const list = await app.admin.call(users.list, {});
    expect(list.map((one) => 'second_factor' in one && one.second_factor)).toEqual([
      true,
      false,
      true,
    ]);
    await app.admin.call(users.removeSecondFactor, of(anna));
    expect((await anna.ask(users.current, {})).status).toBe(401);
    const [newest] = await app.admin.call(events.list, {});
    expect(newest?.description).toBe('Second factor of anna removed');
    await app.signIn('anna', password);
  });

  test('has recovery codes that can be replaced', async () => {
    const app = await testApp();
    const { recoveryCodes } = await withSecondFactor(app, app.admin);
    const [first = '', second = ''] = recoveryCodes;
    await app.signIn('root', password, first);
    expect((await app.admin.call(secondFactor.state, {})).recovery_codes).toBe(9);
    const refused = await app.admin.ask(secondFactor.renewCodes, { body: { password: 'no' } });
    expect(refused.status).toBe(400);
    const made = await app.admin.call(secondFactor.renewCodes, { body: { password } });
    expect(made.recovery_codes).toHaveLength(10);
    await expect(app.signIn('root', password, second)).rejects.toThrow('This code is wrong');
    await app.signIn('root', password, made.recovery_codes[0]);
    expect(await codes(app)).toContain('session.recovery_code_used');
  });
});

test('nothing is confirmed or replaced where nothing was begun', async () => {
  const app = await testApp();
  const confirm = { body: { code: '123456', password } };
  const early = await app.admin.ask(secondFactor.confirm, confirm);
  expect([early.status, early.body.code]).toEqual([409, 'second_factor.not_started']);
  const codesAnew = await app.admin.ask(secondFactor.renewCodes, { body: { password } });
  expect(codesAnew.body.code).toBe('second_factor.not_active');
  const empty = await app.admin.ask(secondFactor.confirm, { body: { code: ' ', password: '' } });
  expect(empty.body.fields?.map(({ code }) => code)).toEqual([
    'second_factor.code_required',
    'user.password_required',
  ]);
});

test('who signs in at a provider has no second factor here', async () => {
  const app = await testApp({ config: { secondFactor: 'all' } });
  await app.ctx.db.updateTable('sessions').set({ provider: 'company' }).execute();
  expect(await app.admin.call(secondFactor.state, {})).toMatchObject({
    required: false,
    available: false,
  });
  const { status, body } = await app.admin.ask(secondFactor.start, {});
  expect([status, body.code]).toEqual([409, 'second_factor.elsewhere']);
  expect((await app.admin.ask(users.list, {})).status).toBe(200);
});

test('API tokens are asked for no code, and change nothing of a second factor', async () => {
  const app = await testApp();
  const { token } = await app.admin.call(tokens.create, { body: newToken.parse({}) });
  await withSecondFactor(app, app.admin);
  const caller = app.withToken(token);
  expect((await caller.ask(users.list, {})).status).toBe(200);
  const { body } = await caller.ask(secondFactor.remove, { body: { password } });
  expect(body.code).toBe('permission.session_needed');
});
