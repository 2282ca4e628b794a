// Slow: it makes a domain.
// Only on SQLite: it is about the conversation with the directory.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { groupRules, identity, newGroupRule } from '#shared/api/identity.ts';
import { users } from '#shared/api/users.ts';
import { parseIdentity } from '../src/server/config/identity-file.ts';
import { administrator, domain, startDomain, type TestDomain } from './helpers/active-directory.ts';
import { testApp, type TestApp } from './helpers/app.ts';
import { changeDirectory } from './helpers/directory-app.ts';

const password = 'A-passw0rd-of-people';
const guide = new URL('../docs/guide/active-directory.md', import.meta.url);

/** A server with the settings for nested groups of the guide. */
async function appOf({ url, ca }: TestDomain): Promise<TestApp> {
  const [, example = ''] = /```yaml\n(.*?)```/s.exec(readFileSync(guide, 'utf8')) ?? [];
  const settings = example
    .replace('ldaps://dc1.corp.example.com', url)
    .replace(/bind_dn: .*/, `bind_dn: ${administrator.dn}`)
    .replaceAll('DC=corp,DC=example,DC=com', domain);
  const read = (file: string) => (file === 'ldap.secret' ? administrator.password : ca);
  return testApp({ config: { identity: parseIdentity(settings, read) } });
}

async function isAdmin(app: TestApp, login: string): Promise<boolean> {
  return (await (await app.signIn(login, password)).call(users.current, {})).admin;
}

test('nested groups of Active Directory give and take roles', async () => {
  const one = await startDomain();
  one.tool('user', 'create', 'ada', password, '--mail-address=ada@example.com');
  one.tool('user', 'create', 'bob', password);
  for (const group of ['operators', 'databases', 'eu']) one.tool('group', 'add', group);
  one.tool('group', 'addmembers', 'operators', 'databases');
  one.tool('group', 'addmembers', 'databases', 'eu');
  one.tool('group', 'addmembers', 'eu', 'ada');
  const app = await appOf(one);
  const [shown] = await app.admin.call(identity.providers, {});
  expect(shown).toMatchObject({ state: 'ready', reason: '' });
  const pattern = `CN=operators,CN=Users,${domain}`;
  const rule = { source: 'ldap', claim: 'groups', pattern, administrator: true };
  await app.admin.call(groupRules.create, { body: newGroupRule.parse(rule) });
  expect(await isAdmin(app, 'ada')).toBe(true);
  expect(await isAdmin(app, 'ADA@corp.example.test')).toBe(true);
  expect(await isAdmin(app, 'bob')).toBe(false);
  one.tool('group', 'removemembers', 'eu', 'ada');
  expect(await isAdmin(app, 'ada')).toBe(false);
  one.tool('group', 'addmembers', 'eu', 'bob');
  expect(await isAdmin(app, 'bob')).toBe(true);

  changeDirectory(app, { group_base_dn: 'DC=other,DC=example,DC=test' });
  await expect(isAdmin(app, 'bob')).rejects.toThrow('refuses searches');
  const [refused] = await app.admin.call(identity.providers, {});
  expect(refused?.reason).toMatch(/^group_base_dn: the directory has no such entry/);
  one.tool('user', 'disable', 'bob');
  changeDirectory(app, { group_base_dn: domain });
  await expect(isAdmin(app, 'bob')).rejects.toThrow('password');
});
