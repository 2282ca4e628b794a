// What forms say of what is missing or wrong, word for word, and that they stay open.

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectNoComplaints, useConsole } from '../helpers/console.ts';
import { enter } from '../helpers/console-project.ts';
import { makeExample, type Example } from '../helpers/example/example.ts';

const console = useConsole();
let example: Example;
let page: Page;

beforeAll(async () => {
  example = await makeExample(console.server);
  page = await enter(console);
});

const inProject = (path: string): string => `/project/${example.projectId}/${path}`;
const goTo = (path: string) => page.goto(`${console.server.address}${path}`);
const dialog = () => page.getByRole('dialog').last();
const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click();

async function expectMessages(messages: readonly string[]): Promise<void> {
  for (const message of messages) {
    await page.getByText(message, { exact: true }).first().waitFor();
  }
  expectNoComplaints();
}

test.each([
  ['/users?edit=new', ['Name', 'Username', 'Email', 'Password']],
  ['environment?edit=new', ['Name']],
  ['keys?edit=new', ['Name', 'Private key']],
  ['integrations?edit=new', ['Name']],
  ['integration/1?value=new', ['Name', 'Value Source', 'Key', 'Variable']],
  ['integration/1?matcher=new', ['Name', 'Match source', 'Key', 'Comparison Method', 'Value']],
  ['templates/new/edit', ['Name', 'Playbook filename', 'Inventory', 'Repository', 'Environment']],
] as const)('the form at %s says what is required', async (path, names) => {
  await goTo(path.startsWith('/') ? path : inProject(path));
  await press('Create');
  await expectMessages(names.map((name) => `${name} is required`));
  await expect.poll(() => dialog().isVisible()).toBe(true);
});

test('an inventory needs a name and credentials', async () => {
  await goTo(inProject('inventory?edit=new'));
  await press('Create');
  await expectMessages(['Name is required', 'User credentials are required']);
  await expect.poll(() => dialog().isVisible()).toBe(true);
});

test('a repository needs a name, a branch, a key and an address of a known kind', async () => {
  await goTo(inProject('repositories?edit=new'));
  await press('Create');
  const messages = ['Name is required', 'Incorrect URL', 'Branch is required', 'Key is required'];
  await expectMessages(messages);
  await expect.poll(() => dialog().isVisible()).toBe(true);
});

test('signing in needs both, and says when they are wrong', async () => {
  const visitor = await console.open('/auth/login');
  await visitor.getByRole('button', { name: 'Sign in', exact: true }).click();
  for (const message of ['Username is required', 'Password is required']) {
    await visitor.getByText(message, { exact: true }).waitFor();
  }
  await visitor.getByLabel('Username').fill('admin');
  await visitor.getByLabel('Password', { exact: true }).fill('wrong');
  await visitor.keyboard.press('Enter');
  await visitor.getByText('Incorrect login or password', { exact: true }).waitFor();
  await expect.poll(() => visitor.getByLabel('Username').inputValue()).toBe('admin');
  await visitor.getByRole('button', { name: "Don't have account or can't sign in?" }).click();
  const help = visitor.getByRole('dialog');
  await help.getByText('signalbox user list').waitFor();
  const commands = await help.getByText(/--password/).allInnerTexts();
  expect(commands[0]).toMatch(/--password [A-Za-z0-9]{10}$/);
  expectNoComplaints();
});

test('a project needs a name and a whole number of tasks that is not below zero', async () => {
  await goTo('/project/new');
  const create = page.getByRole('button', { name: 'Create', exact: true });
  const limit = page.getByLabel('Max number of parallel tasks');
  await limit.fill('two');
  await create.click();
  await expectMessages(['Project name is required', 'Must be integer']);
  await limit.fill('-1');
  await create.click();
  await expectMessages(['Must be 0 or greater']);
  await limit.fill('');
  await page.getByLabel('Project name').fill('Warehouse');
  await create.click();
  await expectMessages(['Project Warehouse created']);
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await expect.poll(() => page.url()).toMatch(/\/project\/3\/history$/);
});

test('a deploy needs a version of its build', async () => {
  const { call, projectId, resources } = example;
  const make = async (fields: object): Promise<number> => {
    const body = { app: 'bash', repository_id: resources.repository, ...fields };
    const path = `/api/project/${projectId}/templates`;
    return (await call<{ id: number }>('POST', path, body)).id;
  };
  const build = await make({
    name: 'Never built',
    playbook: 'build.sh',
    type: 'build',
    start_version: '0.0.0',
  });
  const deploy = await make({
    name: 'Never deployed',
    playbook: 'backup.sh',
    type: 'deploy',
    build_template_id: build,
  });
  await goTo(inProject(`templates?run=${deploy}`));
  await press('Deploy');
  await expectMessages(['Build version is required']);
  await expect.poll(() => dialog().isVisible()).toBe(true);
});

test('what is asked at launch is asked for by its title', async () => {
  await goTo(inProject(`templates?run=${example.templates.patch}`));
  await dialog().getByLabel('Maintenance window').fill('');
  await dialog().getByLabel('Servers at once').fill('a few');
  await press('Run');
  await expectMessages(['Maintenance window is required', 'Servers at once must be integer']);
  await expect.poll(() => dialog().isVisible()).toBe(true);
});

test.each([
  ['keys', 'key', 'No key', ['Inventories', 'Repositories']],
  ['inventory', 'inventory', 'Production', ['Templates']],
  ['environment', 'environment', 'Production', ['Templates']],
  ['repositories', 'repository', 'Webshop playbooks', ['Templates']],
] as const)('what is in use among %s is not deleted', async (path, object, name, sections) => {
  await goTo(inProject(path));
  await page.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
  const text = `Cannot delete the ${object}, because it is used by the resources listed below.`;
  await expectMessages([text, ...sections]);
  expect(await dialog().getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
});
