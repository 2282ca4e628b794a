// Slow: it has a server and a remote runner of its own, which most people do without.
// Remote runners, from the button in the console to a task that has run on one.

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Runner } from '#shared/api/runners.ts';
import type { Task } from '#shared/api/tasks.ts';
import { watchCopies } from '../helpers/clipboard.ts';
import { expectAccessibleInBoth, useOwnConsole } from '../helpers/console.ts';
import { serverMain } from '../helpers/program.ts';
import { gitRepository } from '../helpers/seed.ts';
import { until } from '../helpers/until.ts';

const allowed = { SIGNALBOX_LOCAL_REPOSITORIES: '/' };
// This file has a server of its own that runs no tasks itself, so that the remote runner has to.
const console = useOwnConsole({ ...allowed, SIGNALBOX_ROLE: 'web' });
const { call } = console;

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const list = () => call<Runner[]>('GET', '/api/runners');

async function openRunners(): Promise<Page> {
  const page = await console.enter();
  await page.goto(`${console.server.address}/runners`);
  return page;
}

/** Makes a runner in the console; returns what the console shows of it once. */
async function makeRunner(page: Page, name: string) {
  await page.getByRole('button', { name: 'New runner' }).click();
  const form = page.getByRole('dialog', { name: 'New runner' });
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByText('Name is required').waitFor();
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Name').press('Enter');
  const dialog = page.getByRole('dialog', { name: `Set up ${name}` });
  const [token, program, container] = await Promise.all(
    ['Token', 'As a program', 'As a container'].map((label) =>
      dialog.getByLabel(label, { exact: true }).innerText(),
    ),
  );
  return { dialog, token, program, container };
}

/** Starts a runner as the console says, with the settings and the file with the token. */
async function startRunner(program: string, token: string) {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-remote-'));
  await writeFile(join(folder, 'runner-token'), `${token}\n`, { mode: 0o600 });
  const settings = [...program.matchAll(/(SIGNALBOX_\w+)=(\S+)/g)].map(([, name, value]) => [
    name,
    value?.startsWith('runner-') ? join(folder, value) : value,
  ]);
  const env = { ...process.env, ...allowed, ...Object.fromEntries(settings) };
  const child = spawn(process.execPath, [serverMain], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  return { ended, printed: () => printed };
}

/** Makes a project with a template whose script says where it runs. */
async function plantTemplate(): Promise<{ project: string; template_id: number }> {
  const make = async (path: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', path, body)).id;
  const project = `/api/project/${await make('/api/projects', { name: 'Far' })}`;
  const [key] = await call<{ id: number }[]>('GET', `${project}/keys`);
  const repository_id = await make(`${project}/repositories`, {
    name: 'Code',
    git_url: await gitRepository({ 'run.sh': 'echo "runs far away"\n' }),
    git_branch: 'main',
    ssh_key_id: key?.id,
  });
  const environment_id = await make(`${project}/environment`, { name: 'None' });
  const values = { name: 'Far', app: 'bash', playbook: 'run.sh', repository_id, environment_id };
  return { project, template_id: await make(`${project}/templates`, values) };
}

test('an administrator sets a runner up, runs a task on it, drains and removes it', async () => {
  const page = await openRunners();
  const { dialog, token, program, container } = await makeRunner(page, 'Berlin');
  const { address } = console.server;
  expect(token).toMatch(/^sbr_[\w-]{43}$/);
  expect(program).toContain(`SIGNALBOX_SERVER_URL=${address} `);
  expect(container).toContain(`--env SIGNALBOX_SERVER_URL=${address} `);
  expect(`${program}${container}`).not.toContain(token);
  const copied = await watchCopies(page);
  await dialog.getByRole('button', { name: 'Copy' }).nth(1).click();
  await page.getByText('Command copied to the clipboard').waitFor();
  expect(await copied()).toBe(program);
  await expectAccessibleInBoth(page);
  await page.keyboard.press('Escape');
  const row = rowOf(page, 'Berlin');
  await row.getByText('New', { exact: true }).waitFor();
  await page.getByText('This runner has not registered yet. Start it with its token.').waitFor();
  await expect.poll(() => row.getByRole('button').count()).toBe(3);
  await expectAccessibleInBoth(page);

  const runner = await startRunner(program ?? '', token ?? '');
  await row.getByText('Ready').waitFor();
  await row.getByText('Remote').waitFor();
  expect(runner.printed()).toContain(`Runner Berlin works for ${address}`);
  const { project, template_id } = await plantTemplate();
  const { id } = await call<Task>('POST', `${project}/tasks`, { template_id });
  const one = () => call<Task>('GET', `${project}/tasks/${id}`);
  await until(async () => (await one()).status === 'success');
  const lines = await call<{ output: string }[]>('GET', `${project}/tasks/${id}/output`);
  expect(lines.map(({ output }) => output)).toContain('runs far away');

  await row.getByRole('button', { name: 'Drain Berlin' }).press('Enter');
  await row.getByText('Draining').waitFor();
  const found = (await list()).find(({ name }) => name === 'Berlin');
  expect(found).toMatchObject({ remote: true, draining: true, active: false });
  await row.getByRole('button', { name: 'Resume Berlin' }).press('Enter');
  await row.getByText('Ready').waitFor();

  await row.getByRole('button', { name: 'Edit the tags of Berlin' }).press('Enter');
  const editor = page.getByRole('dialog', { name: 'Edit the tags of Berlin' });
  const tags = editor.getByLabel('Tags').first();
  await tags.fill('dmz');
  await tags.press('Enter');
  await editor.getByText('dmz', { exact: true }).waitFor();
  await expectAccessibleInBoth(page);
  await editor.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Tags of Berlin saved').waitFor();
  await row.getByText('dmz', { exact: true }).waitFor();

  await row.getByRole('button', { name: 'Remove Berlin' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Remove this runner?' });
  await question.getByText('Berlin loses access at once.').waitFor();
  await expectAccessibleInBoth(page);
  await question.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Berlin removed').waitFor();
  await row.waitFor({ state: 'detached' });
  // The process of the runner ends, and says why.
  expect(await runner.ended).toBe(1);
  expect(runner.printed()).toContain('unknown or was removed');
});

test('a runner that has lost its identity gets a new token, after a question', async () => {
  const page = await openRunners();
  const first = await makeRunner(page, 'Munich');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessibleInBoth(page);
  await first.dialog.getByRole('button', { name: 'Close' }).click();
  const row = rowOf(page, 'Munich');
  await row.getByRole('button', { name: 'New token for Munich' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Create a new token?' });
  await question.getByText('Earlier tokens stop working at once').waitFor();
  await expectAccessibleInBoth(page);
  await question.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up Munich' });
  const token = await dialog.getByLabel('Token', { exact: true }).innerText();
  expect([token, token === first.token]).toEqual([expect.stringMatching(/^sbr_/), false]);
  await expectAccessibleInBoth(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await row.getByRole('button', { name: 'Remove Munich' }).press('Enter');
  const removal = page.getByRole('dialog', { name: 'Remove this runner?' });
  await removal.getByText('Its token stops working.').waitFor();
  await removal.getByRole('button', { name: 'Remove', exact: true }).click();
  await row.waitFor({ state: 'detached' });
  // Only the server itself is left, which cannot be drained or removed.
  expect(await list()).toMatchObject([{ remote: false, draining: null }]);
  expect(await page.getByRole('table').getByRole('button').count()).toBe(0);
});
