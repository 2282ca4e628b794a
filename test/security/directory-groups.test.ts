// Only on SQLite: it is about the conversation with the directory.
// Gate: roles end only when the directory has told all groups of a person.

import { Client } from 'ldapts';
import { expect, test } from 'vitest';
import { groupRules, identity, newGroupRule } from '#shared/api/identity.ts';
import { session } from '#shared/api/session.ts';
import type { TestApp } from '../helpers/app.ts';
import { appWith, changeDirectory } from '../helpers/directory-app.ts';
import { adaPassword, reader, startDirectory, suffix } from '../helpers/slapd.ts';

const ada = `uid=ada,ou=people,${suffix}`;
const groups = `ou=groups,${suffix}`;

/** Not the administrator of the directory, for whom limits do not hold. */
const bob = { bind_dn: `uid=bob,ou=people,${suffix}`, bind_password: adaPassword };
const bySearch = { ...bob, group_base_dn: groups, attributes: { groups: 'description' } };

/** How Ada signs in, and whether she is an administrator of the server then. */
async function signInAda(app: TestApp): Promise<[string, boolean]> {
  const body = { auth: 'ada', password: adaPassword };
  const { status, body: answer } = await app.nobody.ask(session.signIn, { body });
  const row = await app.ctx.db
    .selectFrom('users')
    .select('admin')
    .where('username', '=', 'ada')
    .executeTakeFirst();
  return [status === 204 ? 'in' : answer.code, Boolean(row?.admin)];
}

async function makeAdminsOf(app: TestApp, pattern: string): Promise<void> {
  const rule = { source: 'ldap', claim: 'group_names', pattern, administrator: true };
  await app.admin.call(groupRules.create, { body: newGroupRule.parse(rule) });
}

/** Adds groups with Ada, of which the name of the last one is "last". */
async function addGroups(url: string, count: number): Promise<void> {
  const client = new Client({ url });
  await client.bind(reader.dn, reader.password);
  for (let index = 1; index <= count; index += 1) {
    const cn = index === count ? 'last' : `group-${index}`;
    const entry = { objectClass: ['groupOfNames'], cn, member: [ada] };
    await client.add(`cn=${cn},${groups}`, entry);
  }
  await client.unbind();
}

const pages = 'size.soft=110 size.hard=110 size.prtotal=unlimited';
const cut = 'size.soft=20 size.hard=20 size.prtotal=20';

test('more groups than the directory sends at once are all found', async () => {
  const directory = await startDirectory({ limits: pages });
  await addGroups(directory.plainUrl, 250);
  const app = await appWith(directory, bySearch);
  await makeAdminsOf(app, 'last');
  expect(await signInAda(app)).toEqual(['in', true]);
});

test('a search that ends at a limit gives roles and takes none', async () => {
  const directory = await startDirectory({ limits: cut });
  const app = await appWith(directory, bySearch);
  await makeAdminsOf(app, 'ops');
  expect(await signInAda(app)).toEqual(['in', true]);
  await addGroups(directory.plainUrl, 60);
  changeDirectory(app, { group_filter: '(&(member={dn})(!(cn=ops)))' });
  expect(await signInAda(app)).toEqual(['in', true]);
  changeDirectory(app, { group_filter: '(&(member={dn})(cn=last))' });
  expect(await signInAda(app)).toEqual(['in', false]);
});

test.each([
  [{ group_base_dn: `ou=elsewhere,${suffix}` }, /^group_base_dn: .* \(a referral,/],
  [{ group_base_dn: `ou=nowhere,${suffix}` }, /^group_base_dn: the directory has no such entry/],
  [{ base_dn: `ou=elsewhere,${suffix}` }, /^base_dn: .* \(a referral,/],
])('a search that the directory refuses takes no role, with %j', async (change, reason) => {
  const app = await appWith(await startDirectory(), bySearch);
  await makeAdminsOf(app, 'ops');
  expect(await signInAda(app)).toEqual(['in', true]);
  changeDirectory(app, change);
  expect(await signInAda(app)).toEqual(['session.directory_search', true]);
  const [shown] = await app.admin.call(identity.providers, {});
  expect(shown).toMatchObject({ state: 'unreachable' });
  expect(shown?.reason).toMatch(reason);
});

test('a directory that is away takes no role', async () => {
  const directory = await startDirectory();
  const app = await appWith(directory, bySearch);
  await makeAdminsOf(app, 'ops');
  expect(await signInAda(app)).toEqual(['in', true]);
  await directory.stop();
  expect(await signInAda(app)).toEqual(['session.directory_unreachable', true]);
});
