// Only on SQLite: it is about the conversation with the directory.
// Slow: each test starts a real directory.
// Gate: signing in at a directory. What people type is only a value, encryption is verified, and
// people with a password here do not depend on the directory.

import { Attribute, Change, Client } from 'ldapts';
import { describe, expect, test } from 'vitest';
import { groupRules, identity, newGroupRule } from '#shared/api/identity.ts';
import { session } from '#shared/api/session.ts';
import { users } from '#shared/api/users.ts';
import { fillFilter } from '../../src/server/config/ldap-filter.ts';
import { password, type TestApp } from '../helpers/app.ts';
import { appWith } from '../helpers/directory-app.ts';
import { adaPassword, reader, startDirectory, suffix } from '../helpers/slapd.ts';

const tryIn = async (app: TestApp, auth: string, secret: string) => {
  const { status, body } = await app.nobody.ask(session.signIn, {
    body: { auth, password: secret },
  });
  return status === 204 ? 'in' : `${status} ${body.code}`;
};
const refused = '401 session.bad_credentials';
const away = '503 session.directory_unreachable';

describe('a password of the directory', () => {
  test('signs in who has it, with the account and the roles of their groups', async () => {
    const app = await appWith(await startDirectory(), {});
    for (const [claim, pattern] of [
      ['groups', `cn=ops,*,${suffix}`],
      ['group_names', 'nobody'],
    ]) {
      const rule = { source: 'ldap', claim: claim ?? '', pattern: pattern ?? '' };
      const body = newGroupRule.parse({ ...rule, administrator: true });
      await app.admin.call(groupRules.create, { body });
    }
    for (const auth of ['ada', 'ADA', 'ada@example.com']) {
      const caller = await app.signIn(auth, adaPassword);
      expect(await caller.call(users.current, {})).toMatchObject({
        username: 'ada',
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        external: true,
        admin: true,
      });
    }
    const bob = await app.signIn('bob', adaPassword);
    expect(await bob.call(users.current, {})).toMatchObject({ username: 'bob', admin: false });
    const rows = await app.ctx.db.selectFrom('user_identities').select('provider').execute();
    expect(rows).toEqual([{ provider: 'ldap' }, { provider: 'ldap' }]);
    expect(await tryIn(app, 'ada', 'not the password')).toBe(refused);
    expect(await tryIn(app, 'nobody', adaPassword)).toBe(refused);
  });
});

test('groups are searched where the directory does not tell them with the person', async () => {
  const change = {
    attributes: { groups: 'description' },
    group_base_dn: `ou=groups,${suffix}`,
    group_filter: '(&(objectClass=groupOfNames)(member={dn}))',
  };
  const app = await appWith(await startDirectory(), change);
  const rule = { source: 'any', claim: 'group_names', pattern: 'ops', administrator: true };
  await app.admin.call(groupRules.create, { body: newGroupRule.parse(rule) });
  for (const [auth, admin] of Object.entries({ ada: true, odd: true, bob: false })) {
    const caller = await app.signIn(auth, adaPassword);
    expect([auth, (await caller.call(users.current, {})).admin]).toEqual([auth, admin]);
  }
});

test('the filters may compare in every way', async () => {
  const change = {
    user_filter:
      '(&(uid:caseIgnoreMatch:={login})(uid~={login})(|(uid=*{login}*)(cn>={login}))(!(uid=x{login})))',
    attributes: { groups: 'description' },
    group_base_dn: `ou=groups,${suffix}`,
    group_filter: '(|(member:distinguishedNameMatch:={dn})(memberUid={username}))',
  };
  const app = await appWith(await startDirectory(), change);
  const rule = { source: 'any', claim: 'group_names', pattern: 'ops', administrator: true };
  await app.admin.call(groupRules.create, { body: newGroupRule.parse(rule) });
  for (const [auth, admin] of Object.entries({ ada: true, odd: true, bob: false })) {
    const caller = await app.signIn(auth, adaPassword);
    expect([auth, (await caller.call(users.current, {})).admin]).toEqual([auth, admin]);
  }
});

test('people without an address sign in by another attribute that has the form of one', async () => {
  const directory = await startDirectory();
  await changeEntry(directory.plainUrl, `uid=bob,ou=people,${suffix}`, {
    mail: [],
    displayName: ['Bob'],
    employeeType: ['bob@corp.example.test'],
  });
  const attributes = { email: ['mail', 'displayName', 'employeeType'] };
  const refusing = await appWith(directory);
  expect(await tryIn(refusing, 'bob', adaPassword)).toBe('403 identity.email_missing');
  const lenient = await appWith(directory, { create_users_without_email: true });
  const robot = await lenient.signIn('bob', adaPassword);
  expect(await robot.call(users.current, {})).toMatchObject({ username: 'bob', email: 'bob' });
  const app = await appWith(directory, { attributes });
  const bob = await app.signIn('bob', adaPassword);
  expect(await bob.call(users.current, {})).toMatchObject({ email: 'bob@corp.example.test' });
  const rows = await app.ctx.db.selectFrom('user_identities').select('verified').execute();
  expect(rows).toEqual([{ verified: 0 }]);
  const ada = await app.signIn('ada', adaPassword);
  expect(await ada.call(users.current, {})).toMatchObject({ email: 'ada@example.com' });
});

/** Changes attributes of an entry; an empty list removes one. */
async function changeEntry(
  url: string,
  dn: string,
  values: Record<string, string[]>,
): Promise<void> {
  const client = new Client({ url });
  await client.bind(reader.dn, reader.password);
  for (const [type, list] of Object.entries(values)) {
    const modification = new Attribute({ type, values: list });
    await client.modify(dn, new Change({ operation: 'replace', modification }));
  }
  await client.unbind();
}

describe('what is typed as a login', () => {
  test.each([
    '*',
    'a*',
    '*)(uid=*',
    'ada)(uid=*',
    'ada))(|(uid=*',
    '*)(|(objectClass=*)',
    'ada\\2a',
    '\\2a',
    '{login}',
    '$&',
    '(uid=ada)',
    `uid=ada,ou=people,${suffix}`,
    'twins@example.com',
  ])('"%s" finds nobody', async (auth) => {
    const app = await appWith(await startDirectory());
    expect(await tryIn(app, auth, adaPassword)).toBe(refused);
    expect(await app.ctx.db.selectFrom('user_identities').selectAll().execute()).toEqual([]);
  });

  test.each([
    ['(a={login})', '(a=TEXT)'],
    ['(a=x{login}*{login}y*{login})', '(a=xTEXT*TEXTy*TEXT)'],
    ['(a:1.2.3:={login})', '(a:1.2.3:=TEXT)'],
    ['(a:dn:1.2.3:=x{login})', '(a:dn:1.2.3:=xTEXT)'],
    ['(|(a~={login})(b>={login})(c<={login}))', '(|(a~=TEXT)(b>=TEXT)(c<=TEXT))'],
    ['(&(|(!(a={login}))(&(b:r:={login})))(c=*))', '(&(|(!(a=TEXT))(&(b:r:=TEXT)))(c=*))'],
    ['(a=\\c3\\a9{login}\\2a)', '(a=éTEXT\\2a)'],
  ])('is a value of the filter %s', (template, filled) => {
    const filter = fillFilter(template, { '{login}': '*)(z=1{login}\\' });
    const escaped = '\\2a\\29\\28z=1{login}\\5c';
    expect(filter.toString()).toBe(filled.replaceAll('TEXT', escaped));
  });
});

test('an empty password signs nobody in, though directories let nobody in with one', async () => {
  const app = await appWith(await startDirectory());
  expect(await tryIn(app, 'ada', '')).toBe('400 request.invalid');
  expect(await tryIn(app, 'ada', '\u0000')).toBe(refused);
});

describe('encryption', () => {
  test('by StartTLS is as good as by ldaps', async () => {
    const directory = await startDirectory();
    const app = await appWith(directory, { url: directory.plainUrl, start_tls: true });
    expect(await tryIn(app, 'ada', adaPassword)).toBe('in');
  });

  test.each([
    ['ldaps', {}],
    ['StartTLS', { start_tls: true }],
  ])('with a certificate of another authority is refused, by %s', async (_name, change) => {
    const directory = await startDirectory();
    const url = 'start_tls' in change ? directory.plainUrl : directory.url;
    const app = await appWith(directory, { url, ...change }, { ca: directory.otherCa });
    expect(await tryIn(app, 'ada', adaPassword)).toBe(away);
    const [shown] = await app.admin.call(identity.providers, {});
    expect(shown).toMatchObject({ id: 'ldap', kind: 'ldap', state: 'unreachable' });
    expect(shown?.reason).toMatch(/certificate/);
  });

  test.each(['ldaps', 'ldap'])(
    'with the certificate of another host is refused, by %s',
    async (scheme) => {
      const directory = await startDirectory();
      const isPlain = scheme === 'ldap';
      const url = (isPlain ? directory.plainUrl : directory.url).replace('127.0.0.1', 'localhost');
      const app = await appWith(directory, { url, start_tls: isPlain });
      expect(await tryIn(app, 'ada', adaPassword)).toBe(away);
      const [shown] = await app.admin.call(identity.providers, {});
      expect(shown?.reason).toMatch(/altnames/);
    },
  );
});

describe('when the directory is down', () => {
  test('who has a password here signs in as always, and the others are told', async () => {
    const directory = await startDirectory();
    const app = await appWith(directory);
    expect(await tryIn(app, 'ada', adaPassword)).toBe('in');
    await directory.stop();
    expect(await tryIn(app, 'ada', adaPassword)).toBe(away);
    expect(await tryIn(app, 'nobody', 'x')).toBe(away);
    expect(await tryIn(app, 'root', password)).toBe('in');
    expect(await tryIn(app, 'root', 'wrong')).toBe(refused);
  });

  test('a wrong password of the reader is told to administrators only', async () => {
    const app = await appWith(await startDirectory(), { bind_password: 'wrong' });
    expect(await tryIn(app, 'ada', adaPassword)).toBe(away);
    const [shown] = await app.admin.call(identity.providers, {});
    expect([shown?.state, shown?.reason.includes('wrong')]).toEqual(['unreachable', false]);
  });
});

test('whoever has a password here needs that one, and is not taken over by the directory', async () => {
  const app = await appWith(await startDirectory());
  expect(await tryIn(app, 'root', adaPassword)).toBe(refused);
  await app.user('local');
  await app.ctx.db
    .updateTable('users')
    .set({ email: 'bob@example.com', email_key: 'bob@example.com' })
    .where('username', '=', 'local')
    .execute();
  expect(await tryIn(app, 'bob', adaPassword)).toBe('403 identity.email_taken');
  expect(await tryIn(app, 'bob@example.com', adaPassword)).toBe(refused);
});
