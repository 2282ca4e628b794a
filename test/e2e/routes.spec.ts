// Before a release: every address, for each kind of person.
// Where every address leads an owner, a guest, an administrator, and somebody without a session.
// The screens of a guest are accessible on a phone, in the dark theme.

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, letIn } from '../helpers/console.ts';
import { memberPassword } from '../helpers/example/example.ts';
import { settle, watchRequests } from '../helpers/settle.ts';
import { showIn } from '../helpers/tour-page.ts';
import { until } from '../helpers/until.ts';
import { useExample } from '../helpers/walk.ts';

const { console } = useExample();
const base = '/project/1/history';
const people = { owner: 'owner', guest: 'guest', admin: 'admin' };
type Person = keyof typeof people;
const pages = new Map<Person, Page>();

beforeAll(async () => {
  for (const person of ['owner', 'guest', 'admin'] as const) {
    const page = await console.open(null);
    const password = person === 'admin' ? console.server.password : memberPassword;
    await letIn(page, people[person], password);
    await watchRequests(page);
    // The last opened project is opened again.
    await page.goto(`${console.server.address}${base}`);
    await settle(page);
    pages.set(person, page);
  }
});

const pageOf = (person: Person): Page => {
  const page = pages.get(person);
  if (!page) throw new Error(`${person} has not signed in`);
  return page;
};

/**
 * Goes to an address and waits until the expected one is reached, or says which one was reached.
 */
async function expectToReach(page: Page, path: string, end: string): Promise<void> {
  const { address } = console.server;
  await page.goto(`${address}${path}`);
  await expect.poll(() => page.url().slice(address.length)).toBe(end);
  await page.getByRole('heading').first().waitFor();
  expect(page.url().slice(address.length)).toBe(end);
}

/** The tours check the screens of other people. */
async function expectAccessibleOnPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 800 });
  await showIn(page, 'dark');
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** Buttons that change something, which a guest never sees. */
const changing =
  /^(?:New|Edit|Delete|Copy$|Add|Create|Save|Link|Forget|Remove|Restore|Back up|Replay|Try (?:it|without))\b/;

const same = (path: string) => [path, path, path];

/** An address, and where it leads an owner, a guest and an administrator. */
const rows: [path: string, ...ends: string[]][] = [
  ['/auth/login', base, base, base],
  ['/', base, base, base],
  ['/project', base, base, base],
  ['/project/nothing', base, base, base],
  ['/project/new', ...same('/project/new')],
  ['/project/1', base, base, base],
  ['/project/1/nothing', base, base, base],
  [base, ...same(base)],
  ['/project/1/activity', ...same('/project/1/activity')],
  ['/project/1/settings', '/project/1/settings', base, '/project/1/settings'],
  ['/project/1/templates', ...same('/project/1/templates')],
  ['/project/1/views/1', ...same('/project/1/views/1/templates')],
  ['/project/1/views/1/templates', ...same('/project/1/views/1/templates')],
  ['/project/1/templates/1', ...same('/project/1/templates/1')],
  ['/project/1/views/1/templates/1', ...same('/project/1/views/1/templates/1')],
  ['/project/1/inventory', ...same('/project/1/inventory')],
  ['/project/1/hosts', ...same('/project/1/hosts')],
  ['/project/1/hosts/db-1', ...same('/project/1/hosts/db-1')],
  ['/project/1/hosts/db-1.example.com', ...same('/project/1/hosts/db-1.example.com')],
  ['/project/1/environment', ...same('/project/1/environment')],
  ['/project/1/keys', ...same('/project/1/keys')],
  ['/project/1/repositories', ...same('/project/1/repositories')],
  ['/project/1/schedules', ...same('/project/1/schedules')],
  ['/project/1/schedules/1', ...same('/project/1/schedules/1')],
  ['/project/1/integrations', ...same('/project/1/integrations')],
  ['/project/1/integration/1', ...same('/project/1/integration/1')],
  ['/project/1/alerts', ...same('/project/1/alerts')],
  ['/project/1/team', ...same('/project/1/team')],
  ['/project/1/team/roles', ...same('/project/1/team/roles')],
  ['/project/1/team/access', ...same('/project/1/team/access')],
  ['/project/1/tasks/1', ...same('/project/1/tasks/1')],
  ['/account', ...same('/account')],
  ['/account/sessions', ...same('/account/sessions')],
  ['/account/tokens', ...same('/account/tokens')],
  ['/users', base, base, '/users'],
];

/** Addresses that open a form, and the screen that people see who may not use the form. */
const forms: [path: string, behind: string][] = [
  ['/project/1/templates/new', '/project/1/templates'],
  ['/project/1/templates/new/edit', '/project/1/templates'],
  ['/project/1/views/1/templates/new', '/project/1/views/1/templates'],
  ['/project/1/templates?edit=1', '/project/1/templates'],
  ['/project/1/templates?copy=1', '/project/1/templates'],
  ['/project/1/templates?run=1', '/project/1/templates'],
  ['/project/1/templates/1?edit=1', '/project/1/templates/1'],
  ['/project/1/templates/1?copy=1', '/project/1/templates/1'],
  ['/project/1/inventory?edit=new', '/project/1/inventory'],
  ['/project/1/environment?edit=1', '/project/1/environment'],
  ['/project/1/keys?edit=new', '/project/1/keys'],
  ['/project/1/repositories?edit=1', '/project/1/repositories'],
  ['/project/1/schedules?edit=new', '/project/1/schedules'],
  ['/project/1/schedules/1?edit=1', '/project/1/schedules/1'],
  ['/project/1/integrations?edit=new', '/project/1/integrations'],
  ['/project/1/integration/1?edit=1', '/project/1/integration/1'],
  ['/project/1/integration/1?value=new', '/project/1/integration/1'],
  ['/project/1/integration/1?matcher=1', '/project/1/integration/1'],
  ['/project/1/alerts?edit=new', '/project/1/alerts'],
  ['/project/1/team/roles?edit=new', '/project/1/team/roles'],
  ['/project/1/team/access?edit=new', '/project/1/team/access'],
  ['/users?edit=new', base],
  ['/identity?edit=new', '/identity'],
];

test.each(rows)('%s leads where it should', async (path, ...ends) => {
  const [owner = '', guest = '', admin = ''] = ends;
  await Promise.all([
    expectToReach(pageOf('owner'), path, owner),
    expectToReach(pageOf('admin'), path, admin),
    expectToReach(pageOf('guest'), path, guest),
  ]);
  const inProject = /^\/project\/1\/(?!activity)/.test(path);
  await settle(pageOf('guest'));
  const shown = pageOf('guest').getByRole('button');
  const buttons = inProject ? await shown.allInnerTexts() : [];
  expect(buttons.filter((text) => changing.test(text))).toEqual([]);
  await expectAccessibleOnPhone(pageOf('guest'));
});

/** Forms are dialogs, or pages of their own. */
const formOf = (page: Page) => page.getByRole('dialog').or(page.getByRole('form'));

test.each(forms)(
  '%s opens a form, or leads people who may not use it to %s',
  async (path, behind) => {
    const admin = pageOf('admin');
    await admin.goto(`${console.server.address}${path}`);
    await formOf(admin).waitFor();
    const guest = pageOf('guest');
    await expectToReach(guest, path, behind);
    expect(await formOf(guest).count()).toBe(0);
  },
);

test.each([
  '/tasks',
  '/apps',
  '/runners',
  '/execution-environments',
  '/roles',
  '/events',
  '/health',
])('%s is for administrators', async (path) => {
  await expectToReach(pageOf('admin'), path, path);
  await pageOf('admin')
    .getByRole('table')
    .or(pageOf('admin').getByRole('region'))
    .first()
    .waitFor();
  for (const person of ['owner', 'guest'] as const) {
    await expectToReach(pageOf(person), path, path);
    await pageOf(person).getByText('Only administrators can see this page').waitFor();
  }
});

test('without a session every address asks to sign in, and comes back', async () => {
  for (const path of ['/project/1/keys?edit=new', '/users', '/project/1/history?t=1']) {
    const page = await console.open(path);
    await page.waitForURL('**/auth/login**');
    await console.signIn(page);
    await until(() => page.url().endsWith(path));
  }
});
