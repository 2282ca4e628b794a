// Slow: all forms, one by one.
// What forms say about missing and wrong input, word for word; the forms stay open.

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Project } from '#shared/api/projects.ts';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { addProject } from '../helpers/console-project.ts';
import { addProgram } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);
let page: Page;
let integration = 0;

beforeAll(async () => {
  const made = await call<{ id: number }>('POST', demo.api('integrations'), { name: 'Push' });
  integration = made.id;
  page = await console.enter();
});

const goTo = (path: string) => page.goto(`${console.server.address}${path}`);
const dialog = () => page.getByRole('dialog').last();
const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click();

async function expectMessages(messages: readonly string[]): Promise<void> {
  for (const message of messages) {
    await page.getByText(message, { exact: true }).first().waitFor();
  }
}

async function expectToStayOpen(): Promise<void> {
  await expect.poll(() => dialog().isVisible()).toBe(true);
  await expectAccessible(page);
}

test.each([
  ['/users?edit=new', ['Name', 'Username', 'Email', 'Password']],
  ['environment?edit=new', ['Name']],
  ['keys?edit=new', ['Name', 'Type']],
  ['alerts?edit=new', ['Name', 'Address']],
  ['integrations?edit=new', ['Name']],
  ['integration?value=new', ['Name', 'Value Source', 'Key', 'Variable']],
  ['integration?matcher=new', ['Name', 'Match source', 'Key', 'Comparison Method', 'Value']],
] as const)('the form at %s says what is required', async (path, names) => {
  const screen = path.replace('integration?', `integration/${integration}?`);
  await goTo(path.startsWith('/') ? path : demo.path(screen));
  await press('Create');
  await expectMessages(names.map((name) => `${name} is required`));
  await expectToStayOpen();
});

test('a template of an empty project says all that is required', async () => {
  const project = await addProject(console, `Empty ${demo.name}`);
  await goTo(`/project/${project}/templates/new/edit`);
  const form = page.getByRole('form', { name: 'New Template' });
  await form.getByRole('button', { name: 'Create' }).click();
  const names = ['Name', 'Playbook filename', 'Repository'];
  await expectMessages(names.map((name) => `${name} is required`));
  await expect.poll(() => form.isVisible()).toBe(true);
  await expectAccessible(page);
});

test('an inventory needs a name and credentials', async () => {
  const keys = await call<{ name: string }[]>('GET', demo.api('keys'));
  expect(keys.length).toBeGreaterThan(1);
  await goTo(demo.path('inventory?edit=new'));
  await press('Create');
  await expectMessages(['Name is required', 'User credentials are required']);
  await expectToStayOpen();
});

// Its default branch is asked for when there are address and key.
test('a repository needs a name, a key and an address', async () => {
  await goTo(demo.path('repositories?edit=new'));
  await press('Create');
  const messages = ['Name is required', 'Git URL is required', 'Key is required'];
  await expectMessages(messages);
  expect(await dialog().getByText('Incorrect URL').count()).toBe(0);
  await expectToStayOpen();
});

test('a view needs a title', async () => {
  await goTo(demo.path('templates'));
  await page.getByRole('button', { name: 'Edit Views' }).click();
  await press('Add view');
  await press('Save');
  await expectMessages(['Title is required']);
  await expectToStayOpen();
});

test('a survey variable needs a name and a title', async () => {
  await goTo(demo.path(`templates?edit=${demo.template(2)}`));
  const form = page.getByRole('form', { name: 'Edit template' });
  await form.getByRole('button', { name: 'Add variable' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await expectMessages(['Name is required', 'Title is required']);
  await expect.poll(() => form.isVisible()).toBe(true);
  await expectAccessible(page);
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
  await visitor.getByRole('button', { name: "Don't have an account or can't sign in?" }).click();
  const help = visitor.getByRole('dialog');
  await help.getByText('signalbox user list').waitFor();
  const commands = await help.locator('pre', { hasText: '--password' }).allInnerTexts();
  expect(commands[0]).toMatch(/--password [A-Za-z0-9]{10}$/);
});

test('a project needs a name and a whole number of tasks that is not below zero', async () => {
  await goTo('/project/new');
  const create = page.getByRole('button', { name: 'Create', exact: true });
  const limit = page.getByLabel('Max number of parallel tasks');
  // What a project can begin without is folded away.
  expect(await limit.count()).toBe(0);
  await page.getByRole('button', { name: 'Alerts and limits' }).click();
  await limit.fill('two');
  await create.click();
  await expectMessages(['Project name is required', 'Must be integer']);
  await limit.fill('-1');
  await create.click();
  await expectMessages(['Must be 0 or greater']);
  await limit.fill('');
  await page.getByLabel('Project name').fill(demo.only('Warehouse'));
  await create.click();
  await expectMessages([`Project ${demo.only('Warehouse')} created`]);
  await page.getByRole('heading', { name: 'Task Templates' }).waitFor();
  const made = (await call<Project[]>('GET', '/api/projects')).find(
    ({ name }) => name === demo.only('Warehouse'),
  );
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/project/${made?.id}/templates`);
});

test('a deploy needs a version of its build', async () => {
  const build = await addProgram(demo, 'Never built', 'echo built\n', {
    type: 'build',
    start_version: '0.0.0',
  });
  const deploy = await addProgram(demo, 'Never deployed', 'echo deployed\n', {
    type: 'deploy',
    build_template_id: build,
  });
  await goTo(demo.path(`templates?run=${deploy}`));
  await press('Deploy');
  await expectMessages(['Build version is required']);
  await expectToStayOpen();
});

test('what is asked at launch is asked for by its title', async () => {
  const survey = [
    { name: 'window', title: 'Maintenance window', default_value: '02:00', required: true },
    { name: 'batch', title: 'Servers at once', type: 'int', default_value: '2' },
  ];
  const patch = await addProgram(demo, 'Patch servers', 'echo done\n', { survey_vars: survey });
  await goTo(demo.path(`templates?run=${patch}`));
  await dialog().getByLabel('Maintenance window').fill('');
  await dialog().getByLabel('Servers at once').fill('a few');
  await press('Run');
  await expectMessages(['Maintenance window is required', 'Servers at once must be integer']);
  await expectToStayOpen();
});

test.each([
  ['keys', 'key', 'None', ['Inventories', 'Repositories']],
  ['inventory', 'inventory', 'This server', ['Templates']],
  ['environment', 'environment', 'Demo variables', ['Templates']],
  ['repositories', 'repository', 'Demo playbooks', ['Templates']],
] as const)('what is in use among %s is not deleted', async (path, object, name, sections) => {
  await goTo(demo.path(path));
  await page.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
  const text = `Cannot delete the ${object}, because it is used by the resources listed below.`;
  await expectMessages([text, ...sections]);
  expect(await dialog().getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
});
