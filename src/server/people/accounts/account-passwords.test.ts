import { describe, expect, test } from 'vitest';
import { tokens } from '#shared/api/tokens.ts';
import { users } from '#shared/api/users.ts';
import { password, testApp } from '../../../../test/helpers/app.ts';

const of = ({ userId }: { userId: number }) => ({ params: { user_id: userId } });
const fresh = 'an even longer password';
// Some time after a sign-in, changes ask for the password again.
const later = 10 * 60_000 + 1000;
const ben = { username: 'ben', name: 'Ben', email: 'ben@example.com' };

describe('passwords', () => {
  test('that are sent are always checked, under each of their names', async () => {
    const app = await testApp();
    const anna = await app.user('anna');
    const other = { path: 'current_password', code: 'field.contradiction' };
    const wrong = { path: 'old_password', code: 'user.old_password_wrong' };
    const self = { username: 'anna', name: 'Anna', email: 'anna@example.com' };
    for (const [body, field] of [
      [{ current_password: fresh }, wrong],
      [{ old_password: fresh }, wrong],
      [{ current_password: fresh, old_password: '' }, wrong],
      [{ current_password: fresh, old_password: password }, other],
    ] as const) {
      for (const caller of [anna, app.admin]) {
        // Wrong passwords are slowed down.
        app.clock.advance(15 * 60_000);
        const set = await caller.ask(users.password, {
          ...of(anna),
          body: { password: fresh, ...body },
        });
        expect([set.status, set.body.fields]).toMatchObject([400, [field]]);
        const changed = await caller.ask(users.update, { ...of(anna), body: { ...self, ...body } });
        expect([changed.status, changed.body.fields]).toMatchObject([400, [field]]);
      }
    }
    await app.signIn('anna', password);
    const right = { password: fresh, current_password: password };
    expect((await anna.ask(users.password, { ...of(anna), body: right })).status).toBe(204);
    await app.signIn('anna', fresh);
  });

  test('of one’s own ask for the old one, and end all other sessions', async () => {
    const app = await testApp();
    const anna = await app.user('anna');
    const elsewhere = await app.signIn('anna', password);
    const change = (body: object) =>
      anna.ask(users.password, { ...of(anna), body: { password: fresh, ...body } });
    app.clock.advance(later);
    for (const [old, code, message] of [
      [undefined, 'user.old_password_required', 'Current password is required'],
      ['', 'user.old_password_required', 'Current password is required'],
      [fresh, 'user.old_password_wrong', 'This is not the current password'],
    ] as const) {
      const answer = await change(old === undefined ? {} : { old_password: old });
      expect(answer.status).toBe(400);
      expect(answer.body.fields).toEqual([{ path: 'old_password', code, message }]);
    }
    expect((await elsewhere.ask(users.current, {})).status).toBe(200);
    expect((await change({ old_password: password })).status).toBe(204);
    expect((await anna.ask(users.current, {})).status).toBe(200);
    expect((await elsewhere.ask(users.current, {})).status).toBe(401);
    await expect(app.signIn('anna', password)).rejects.toThrow('Incorrect login or password');
    await app.signIn('anna', fresh);
  });

  test('of others are set by administrators, who need not know the old one', async () => {
    const app = await testApp();
    const anna = await app.user('anna');
    const body = { password: fresh };
    app.clock.advance(later);
    expect((await app.admin.ask(users.password, { ...of(anna), body })).status).toBe(204);
    expect((await anna.ask(users.current, {})).status).toBe(401);
    expect((await app.admin.ask(users.current, {})).status).toBe(200);
    await app.signIn('anna', fresh);
    const own = await app.admin.ask(users.password, { ...of(app.admin), body });
    expect(own.body.fields).toMatchObject([{ code: 'user.old_password_required' }]);
  });

  test('come with other changes by the same rules, and stay when they are empty', async () => {
    const app = await testApp();
    const anna = await app.user('anna');
    const mine = await anna.call(users.one, of(anna));
    const change = (body: object) =>
      anna.ask(users.update, { ...of(anna), body: { ...mine, name: 'Anne', ...body } });
    app.clock.advance(later);
    expect((await change({ password: fresh })).body.fields).toMatchObject([
      { path: 'old_password', code: 'user.old_password_required' },
    ]);
    expect((await change({ password: 'short' })).body.fields).toMatchObject([
      { path: 'password', code: 'field.too_short' },
    ]);
    expect((await anna.call(users.one, of(anna))).name).toBe('anna');
    expect((await change({ password: '' })).status).toBe(204);
    await app.signIn('anna', password);
    const both = { name: 'Anna A', password: fresh, old_password: password };
    expect((await change(both)).status).toBe(204);
    await app.signIn('anna', fresh);
    expect((await anna.call(users.one, of(anna))).name).toBe('Anna A');
  });

  test('and logins of users who sign in elsewhere are not changed here', async () => {
    const app = await testApp();
    const made = await app.admin.call(users.create, { body: { ...ben, external: true } });
    expect(made.external).toBe(true);
    const target = { params: { user_id: made.id } };
    const change = (body: object) =>
      app.admin.ask(users.update, { ...target, body: { ...made, ...body } });
    for (const [path, body] of [
      ['username', { username: 'benn' }],
      ['email', { email: 'benn@example.com' }],
      ['password', { password: fresh }],
    ] as const) {
      const { status, body: refusal } = await change(body);
      expect([status, refusal.fields]).toMatchObject([
        400,
        [{ path, code: 'user.external_field' }],
      ]);
    }
    const { body } = await app.admin.ask(users.password, { ...target, body: { password: fresh } });
    expect(body.fields).toMatchObject([{ path: 'password', code: 'user.external_field' }]);
    expect((await change({ name: 'Benjamin', external: false })).status).toBe(204);
    const shown = await app.admin.call(users.one, target);
    expect(shown).toEqual({ ...made, name: 'Benjamin' });
    await expect(app.signIn('ben', 'anything')).rejects.toThrow('Incorrect login or password');
  });
});

describe('what one signs in with oneself', () => {
  const changes: [
    title: string,
    change: { username?: string; email?: string; password?: string },
  ][] = [
    ['login', { username: 'anna-maria' }],
    ['e-mail address', { email: 'anna@elsewhere.example' }],
    ['password', { password: fresh }],
  ];

  test.each(changes)('%s: asks for the password, but not just after a sign-in', async (_, one) => {
    const app = await testApp();
    const anna = await app.user('anna');
    const mine = await anna.call(users.one, of(anna));
    const change = (body: typeof mine & { old_password?: string }) =>
      anna.ask(users.update, { ...of(anna), body });
    app.clock.advance(later);
    const refused = await change({ ...mine, ...one });
    expect([refused.status, refused.body.fields]).toMatchObject([
      400,
      [{ path: 'old_password', code: 'user.old_password_required' }],
    ]);
    const wrong = await change({ ...mine, ...one, old_password: 'a guess' });
    expect(wrong.body.fields).toMatchObject([{ code: 'user.old_password_wrong' }]);
    // Fields that are not used to sign in are changed without it.
    expect((await change({ ...mine, name: 'Anna Maria' })).status).toBe(204);
    const now = { ...mine, name: 'Anna Maria' };
    expect((await change({ ...now, ...one, old_password: password })).status).toBe(204);

    const bert = await app.user('bert');
    const his = await bert.call(users.one, of(bert));
    const fitting = { ...his, ...one, ...('email' in one && { email: 'bert@elsewhere.example' }) };
    const renamed = { ...fitting, ...('username' in one && { username: 'bertram' }) };
    expect((await bert.ask(users.update, { ...of(bert), body: renamed })).status).toBe(204);
  });

  test.each(changes)('%s: is changed by no token, whatever it knows', async (_, one) => {
    const app = await testApp();
    const mine = await app.admin.call(users.one, of(app.admin));
    const { token } = await app.admin.call(tokens.create, { body: { scope: 'all' } });
    const script = app.withToken(token);
    for (const extra of [{}, { old_password: password }]) {
      const body = { ...mine, ...one, ...extra };
      const { status, body: refusal } = await script.ask(users.update, { ...of(app.admin), body });
      expect([status, refusal.code]).toEqual([403, 'permission.session_needed']);
    }
    const set = { password: fresh, old_password: password };
    const refused = await script.ask(users.password, { ...of(app.admin), body: set });
    expect(refused.body.code).toBe('permission.session_needed');
    // A token may change fields that are not used to sign in, and accounts of other users.
    const anna = await app.user('anna');
    const hers = await anna.call(users.one, of(anna));
    await script.call(users.update, { ...of(anna), body: { ...hers, ...one } });
    await script.call(users.update, { ...of(app.admin), body: { ...mine, name: 'Root' } });
  });
});

test('guessing the old password is limited like signing in', async () => {
  const app = await testApp();
  const anna = await app.user('anna');
  const guess = (old: string) =>
    anna.ask(users.password, { ...of(anna), body: { password: fresh, old_password: old } });
  for (let count = 0; count < 10; count += 1) expect((await guess('a guess')).status).toBe(400);
  const { status, body } = await guess(password);
  expect([status, body.code]).toEqual([429, 'request.rate_limited']);
  app.clock.advance(31_000);
  expect((await guess(password)).status).toBe(204);
});

describe('the form of a user', () => {
  const cases: [change: object, path: string, code: string, message: string][] = [
    [{ name: ' ' }, 'name', 'name.required', 'Name is required'],
    [{ name: undefined }, 'name', 'name.required', 'Name is required'],
    [{ username: '' }, 'username', 'user.username_required', 'Username is required'],
    [{ username: undefined }, 'username', 'user.username_required', 'Username is required'],
    [{ email: null }, 'email', 'user.email_required', 'Email is required'],
    [{ email: '' }, 'email', 'user.email_required', 'Email is required'],
    [{ email: 'ben' }, 'email', 'user.email_invalid', 'This is not an email address'],
    [{ email: 'b en@x' }, 'email', 'user.email_invalid', 'This is not an email address'],
    [{ password: '' }, 'password', 'user.password_required', 'Password is required'],
    [{ password: '7 signs' }, 'password', 'field.too_short', 'Use at least 8 characters'],
    [{ username: 'a\tb' }, 'username', 'field.control_characters', 'Remove the control characters'],
    [{ username: 'İ'.repeat(256) }, 'username', 'field.too_long', 'Use at most 255 characters'],
  ];

  test.each(cases)('is refused with %o in the words of the field', async (change, ...field) => {
    const app = await testApp();
    const body = { ...ben, password: fresh, ...change };
    const answer = await app.admin.ask(users.create, { body });
    const [path, code, message] = field;
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toMatchObject([{ path, code, message }]);
  });
});
