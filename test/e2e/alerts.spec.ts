// Slow: alerts are seldom looked at in the console.
// Alert channels are tested, and the deliveries of alerts are listed.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { AlertChannel } from '#shared/api/alert-channels.ts';
import type { AlertDelivery } from '#shared/api/alert-deliveries.ts';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { launchTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';
import { startReceiver } from '../helpers/receiver.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

const list = () => demo.api('alert_channels');

async function openAlerts(search = ''): Promise<Page> {
  const page = await demo.enter(`alerts${search}`);
  return page;
}

test('a channel is made, tested, changed without its address, and deleted', async () => {
  const receiver = await startReceiver();
  const page = await openAlerts();
  await page.getByText('No alert channels yet').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New Alert Channel' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New Alert Channel' });
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Name is required').waitFor();
  await dialog.getByText('Address is required').waitFor();
  await dialog.getByLabel('Name').fill('Own program');
  await dialog.getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/hook`);
  await dialog.getByRole('checkbox', { name: 'succeeds', exact: true }).check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Alert channel Own program created').waitFor();
  await dialog.waitFor({ state: 'hidden' });

  const sendTest = page.getByRole('button', { name: 'Send test message to Own program' });
  await sendTest.click();
  const good = 'Own program: Test message delivered. The server responded with status 200.';
  await page.getByText(good).waitFor();
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
  receiver.answer((response) => void response.writeHead(503).end());
  await sendTest.click();
  const bad =
    'Own program: Test message not delivered: The server refused the message. The server responded with status 503.';
  await page.getByRole('alert').getByText(bad).waitFor();

  await page.getByRole('link', { name: 'Own program' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit alert channel' });
  await expect.poll(() => edit.getByRole('textbox', { name: 'Address' }).isDisabled()).toBe(true);
  await edit.getByLabel('Name').fill('Our program');
  await edit.getByRole('checkbox', { name: 'fails', exact: true }).uncheck();
  await edit.getByRole('switch', { name: 'Active' }).click();
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Alert channel Our program saved').waitFor();
  const [stored] = await call<AlertChannel[]>('GET', list());
  expect(stored).toMatchObject({
    active: false,
    events: ['recovered', 'waiting', 'succeeded'],
    host: new URL(receiver.url).host,
  });

  await page.getByRole('button', { name: 'Delete Our program' }).click();
  const question = page.getByRole('dialog', { name: 'Delete alert channel' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Alert channel Our program deleted').waitFor();
  expect(await call<unknown[]>('GET', list())).toEqual([]);
});

test('each type asks for what it needs, and says where e-mail is not set up', async () => {
  const page = await openAlerts('?edit=new');
  const dialog = page.getByRole('dialog', { name: 'New Alert Channel' });
  const create = dialog.getByRole('button', { name: 'Create' });
  const type = async (name: string): Promise<void> => {
    await dialog.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name, exact: true }).click();
  };
  await dialog.getByLabel('Name').fill('Channel');
  await type('Email');
  await dialog.getByText('Email is not set up on this server. Ask an administrator.').waitFor();
  await dialog.getByRole('combobox', { name: 'Email addresses' }).fill('nobody,');
  await create.click();
  await dialog.getByText('This is not an email address').waitFor();
  await expectAccessible(page);
  await type('Telegram');
  await create.click();
  await dialog.getByText('Chat is required').waitFor();
  await dialog.getByText('Token is required').waitFor();
  await type('ntfy');
  await dialog.getByRole('textbox', { name: 'Address' }).fill('https://ntfy.example.com');
  await create.click();
  await dialog.getByText('Enter the address of a topic').waitFor();
  expect(await call<unknown[]>('GET', list())).toEqual([]);
});

test('what was sent is listed with its outcome as it happens, and sent again', async () => {
  const receiver = await startReceiver();
  receiver.answer((response) => void response.writeHead(404).end());
  const page = await openAlerts('?tab=sent');
  await page.getByText('No alerts sent yet').waitFor();
  await expectAccessible(page);
  await call('POST', list(), {
    name: 'Log',
    type: 'webhook',
    address: `${receiver.url}/log`,
    events: ['succeeded'],
  });
  const task = await launchTask(demo, demo.template(1));
  const row = page.getByRole('row').filter({ hasText: '1. Say hello' });
  await row.getByText('Failed').waitFor();
  await row
    .getByText('The server refused the message. The server responded with status 404.')
    .waitFor();
  receiver.answer((response) => void response.end());
  await row
    .getByRole('button', { name: new RegExp(`^Send the alert of task #${task.id}\\b`) })
    .click();
  await page.getByText('Sending the alert again').waitFor();
  await row.getByText('Sent', { exact: true }).waitFor();
  const [sent] = await call<AlertDelivery[]>('GET', demo.api('alert_deliveries'));
  expect(sent).toMatchObject({ status: 'sent', answer_status: 200 });
  await page.goto(`${page.url()}&status=failed`);
  await page.getByText('No alert has this status').waitFor();
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Status' }).inputValue())
    .toBe('Failed');
});

test('a guest sees that channels exist, and nothing of what was sent', async () => {
  const { id } = await call<AlertChannel>('POST', list(), {
    name: 'On call',
    type: 'ntfy',
    address: 'https://ntfy.example.com/topic',
  });
  const page = await openAs(console, demo, 'guest', {
    viewport: { width: 360, height: 800 },
    colorScheme: 'dark',
  });
  await page.goto(demo.url(`alerts?tab=sent&edit=${id}`));
  await page.getByRole('cell', { name: 'On call' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Sent alerts' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /New|Edit|Delete|Send/ }).count()).toBe(0);
});
