// Slow: integrations are seldom looked at in the console.
// Integrations: what checks a request, what a request starts, and who may see that.

import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import type { Integration } from '#shared/api/integrations.ts';
import { watchCopies } from '../helpers/clipboard.ts';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

const secret = 'the secret of the sender';
const list = (rest = '') => demo.api(`integrations${rest}`);

async function openIntegrations(): Promise<Page> {
  const page = await console.enter({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(demo.url('integrations'));
  return page;
}

async function choose(page: Page, dialog: Locator, name: string, option: string): Promise<void> {
  await dialog.getByRole('combobox', { name }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Sends what a git host sends after a push. */
async function push(url: string, body: object, key = secret): Promise<void> {
  const text = JSON.stringify(body);
  const signature = createHmac('sha256', key).update(text).digest('hex');
  await fetch(`${console.server.address}${new URL(url).pathname}`, {
    method: 'POST',
    body: text,
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-hub-signature-256': `sha256=${signature}`,
    },
  });
}

const makeIntegration = (fields: object): Promise<Integration> => call('POST', list(), fields);

test('an integration is set up, and a signed push starts a task that is seen here', async () => {
  const page = await openIntegrations();
  await page.getByText('No integrations yet').waitFor();
  await expectAccessible(page);
  await call('POST', demo.api('keys'), {
    name: 'Push secret',
    type: 'login_password',
    login_password: { login: 'git', password: secret },
  });
  await page.getByRole('button', { name: 'New Integration' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New Integration' });
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Name is required').waitFor();
  await dialog.getByLabel('Name').fill('Push to main');
  await choose(page, dialog, 'Task template to run', '1. Say hello');
  await choose(page, dialog, 'Auth method', 'GitHub');
  await dialog.getByText('the password of the key as secret').waitFor();
  await choose(page, dialog, 'Secret', 'Push secret');
  await dialog.getByText('Run options').click();
  await dialog.getByLabel('Message').fill('After a push');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Integration Push to main created').waitFor();

  await page.getByRole('link', { name: 'Push to main' }).click();
  await page.getByRole('heading', { name: 'Push to main' }).waitFor();
  const copied = await watchCopies(page);
  await page.getByRole('button', { name: 'Copy alias' }).click();
  await page.getByText('The alias URL has been copied to the clipboard.').waitFor();
  const url = await copied();
  expect(url).toMatch(/\/api\/integrations\/[a-z0-9]{26}$/);
  await page.mouse.move(0, 0);
  await page.getByRole('tooltip').waitFor({ state: 'detached' });
  await addMatcher(page);
  await addValue(page);

  await page.getByRole('link', { name: 'Deliveries' }).click();
  await page.getByText('No requests yet').waitFor();
  await push(url, { ref: 'refs/heads/dev', after: 'c0ffee' });
  await page.getByText('Matcher "Branch": ref is "refs/heads/dev"').waitFor();
  await push(url, { ref: 'refs/heads/main', after: 'c0ffee' }, 'a guess');
  await page.getByText('Not authorized').waitFor();
  await push(url, { ref: 'refs/heads/main', after: 'c0ffee' });
  const started = page.getByRole('row').filter({ hasText: 'The request matches.' });
  await started.getByRole('link', { name: /^#\d+$/ }).click();
  const task = page.getByRole('dialog').filter({ hasText: 'Task #' });
  await task.getByText('After a push').first().waitFor();
  await task.getByText('Success', { exact: true }).first().waitFor();
  await page.keyboard.press('Escape');
  await task.waitFor({ state: 'detached' });
  await replayAndTry(page, started);
});

/** What the console sends when it creates something at this path. */
const sentTo = async (page: Page, path: RegExp): Promise<unknown> =>
  (
    await page.waitForRequest((one) => one.method() === 'POST' && path.test(one.url()))
  ).postDataJSON();

const integrationOf = (page: Page): number =>
  Number(new URL(page.url()).pathname.split('/integration/')[1]);

async function addMatcher(page: Page): Promise<void> {
  await page.getByText('Without matchers, every request runs the template.').waitFor();
  await page.getByRole('button', { name: 'New Matcher' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Matcher' });
  await dialog.getByRole('button', { name: 'Create' }).click();
  for (const words of ['Name', 'Match source', 'Key', 'Comparison Method', 'Value']) {
    await dialog.getByText(`${words} is required`, { exact: true }).waitFor();
  }
  await choose(page, dialog, 'Match source', 'Body');
  await dialog.getByLabel('Name').fill('Branch');
  await dialog.getByLabel('Key').fill('ref');
  await choose(page, dialog, 'Comparison Method', 'equals');
  await dialog.getByLabel('Value').fill('refs/heads/main');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Body Data Format is required').waitFor();
  await expectAccessible(page);
  await choose(page, dialog, 'Body Data Format', 'JSON');
  const sent = sentTo(page, /\/matchers$/);
  await dialog.getByRole('button', { name: 'Create' }).click();
  expect(await sent).toMatchObject({ integration_id: integrationOf(page) });
  await page.getByText('Matcher Branch created').waitFor();
  await dialog.waitFor({ state: 'hidden' });
}

async function addValue(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New Extract Value' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Extract Value' });
  await dialog.getByRole('button', { name: 'Create' }).click();
  for (const words of ['Name', 'Value Source', 'Key', 'Variable']) {
    await dialog.getByText(`${words} is required`, { exact: true }).waitFor();
  }
  await choose(page, dialog, 'Value Source', 'Body');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Body Data Type is required').waitFor();
  await choose(page, dialog, 'Body Data Type', 'JSON');
  await dialog.getByLabel('Name').fill('Commit');
  await dialog.getByLabel('Key').fill('after');
  await dialog.getByLabel('Variable').fill('commit');
  const sent = sentTo(page, /\/values$/);
  await dialog.getByRole('button', { name: 'Create' }).click();
  expect(await sent).toMatchObject({ integration_id: integrationOf(page) });
  await page.getByText('Extract value Commit created').waitFor();
  await dialog.waitFor({ state: 'hidden' });
}

/** Tests with the delivery that matched. */
async function replayAndTry(page: Page, started: Locator): Promise<void> {
  await started.getByRole('button', { name: /^Show request/ }).click();
  const request = page.getByRole('dialog', { name: /^Delivery #/ });
  await request.getByText('x-github-event: push').waitFor();
  expect(await request.getByText('x-hub-signature-256').count()).toBe(0);
  await request.getByRole('button', { name: 'Replay' }).click();
  const question = page.getByRole('dialog', { name: 'Replay' });
  await question.getByText('a task starts in your name').waitFor();
  await question.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('Started: The request matches.').waitFor();
  await request.getByRole('button', { name: 'Try without running' }).click();
  await page.waitForURL('**tab=try**');
  const body = page.getByRole('textbox', { name: 'Body' });
  await body.getByText('refs/heads/main').waitFor();
  await page.getByLabel('Headers').fill('no header');
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByText('Line 1 is not a header.').waitFor();
  await page.getByLabel('Headers').fill('X-GitHub-Event: push');
  await page.getByRole('button', { name: 'Try it' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('Would run').waitFor();
  await result.getByText('Matcher “Branch” matches.').waitFor();
  await result.getByText('c0ffee').waitFor();
  await expectAccessible(page);
  await body.fill('{"ref": "refs/heads/dev"}');
  await page.getByRole('button', { name: 'Try it' }).click();
  await result.getByText('Would not run').waitFor();
  await result.getByText('ref is "refs/heads/dev", not "refs/heads/main"').waitFor();
}

test('a request starts the workflow that was chosen, and the run says so', async () => {
  const [template] = await call<{ id: number }[]>('GET', demo.api('templates'));
  const node = { type: 'template', key: 'hello', name: 'Hello', template_id: template?.id };
  const body = { name: 'Release train', graph: { nodes: [node] } };
  const { id: workflowId } = await call<{ id: number }>('POST', demo.api('workflows'), body);
  const page = await openIntegrations();
  await page.getByRole('button', { name: 'New Integration' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New Integration' });
  await dialog.getByLabel('Name').fill('Train');
  await choose(page, dialog, 'Target', 'Workflow');
  await choose(page, dialog, 'Workflow', 'Release train');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Integration Train created').waitFor();
  const [made] = await call<Integration[]>('GET', list('?starts=workflows'));
  expect(made).toMatchObject({ name: 'Train', template_id: null, workflow_id: workflowId });
  const { url } = await call<{ url: string }>('POST', list(`/${made?.id}/aliases`), {});
  await push(url, {});

  await page.goto(demo.url(`integration/${made?.id}?tab=deliveries`));
  await page.getByRole('link', { name: /Run #/ }).click();
  await page.getByText('The integration "Train" started the run.').waitFor();
  await page.getByRole('link', { name: 'Integration Train' }).waitFor();
  await page.goto(demo.url(`workflows/${workflowId}`));
  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await page.getByRole('link', { name: 'Release train' }).waitFor();
});

test('aliases of the project are added and deleted, and a copy that fails says why', async () => {
  const page = await openIntegrations();
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/integrations/aliases', async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await page.getByRole('button', { name: 'Loading aliases...' }).waitFor();
  letGo();
  await page.getByRole('button', { name: 'Add Alias' }).click();
  const aliases = page.getByRole('list', { name: 'Project aliases' });
  await aliases.getByText('/api/integrations/').waitFor();
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('Not allowed'));
  });
  await page.getByRole('button', { name: 'Copy alias' }).click();
  await page.getByText("Can't copy to clipboard: Not allowed").waitFor();
  await page.getByRole('button', { name: 'Delete alias' }).click();
  const question = page.getByRole('dialog', { name: 'Delete alias' });
  await question.getByText('Signalbox will refuse requests to it').waitFor();
  await question.getByRole('button', { name: 'Delete' }).click();
  await aliases.getByText('/api/integrations/').waitFor({ state: 'detached' });
  expect(await call<unknown[]>('GET', list('/aliases'))).toEqual([]);
});

test('the checkbox saves on change and keeps the rest; rules and the integration go', async () => {
  const page = await openIntegrations();
  const fields = { name: 'Monitoring', auth_method: 'token', auth_header: 'X-Token' };
  const { id } = await makeIntegration({ ...fields, task_params: { limit: 'web' } });
  const matcher = {
    name: 'Any',
    match_type: 'header',
    key: 'X-Event',
    method: 'contains',
    value: 'a',
  };
  await call('POST', list(`/${id}/matchers`), matcher);
  await page.goto(demo.url(`integration/${id}`));
  await page.getByRole('checkbox', { name: 'Available by project and global alias' }).check();
  await page.getByText('Integration Monitoring saved').waitFor();
  const saved = await call<Integration>('GET', list(`/${id}`));
  expect(saved).toMatchObject({ ...fields, searchable: true, task_params: { limit: 'web' } });

  await page.getByRole('button', { name: 'Delete Any' }).click();
  const question = page.getByRole('dialog', { name: 'Delete matcher' });
  await question.getByText('Any is the last matcher.').waitFor();
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Matcher Any deleted').waitFor();
  await question.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const last = page.getByRole('dialog', { name: 'Delete integration' });
  await last.getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(`**${demo.path('integrations')}`);
  await page.getByText('Integration Monitoring deleted').waitFor();
  expect((await call<Integration[]>('GET', list())).map(({ name }) => name)).not.toContain(
    'Monitoring',
  );
});

test('a guest sees what there is, but no address and no request', async () => {
  const { id } = await makeIntegration({ name: 'Seen by a guest' });
  await call('POST', list(`/${id}/aliases`), {});
  const page = await openAs(console, demo, 'guest', {
    viewport: { width: 360, height: 800 },
    colorScheme: 'dark',
  });
  await page.goto(demo.url(`integrations?edit=${id}`));
  await page.getByRole('link', { name: 'Seen by a guest' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await page.getByRole('button', { name: /New|Edit|Delete|Alias/ }).count()).toBe(0);
  await page.goto(demo.url(`integration/${id}?tab=deliveries`));
  await page.getByText('Without matchers, every request runs the template.').waitFor();
  expect(await page.getByRole('button', { name: /New|Edit|Delete|Alias/ }).count()).toBe(0);
  expect(await page.getByText('/api/integrations/').count()).toBe(0);
});
