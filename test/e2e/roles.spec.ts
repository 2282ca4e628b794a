// What a guest sees: everything that runs, and no button that would do nothing.

import { expect, test } from 'vitest';
import { follow, useConsole } from '../helpers/console.ts';
import { addHeld, launchTask, readTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';

const console = useConsole();
const demo = useDemo(console);

test('a guest follows a task, and run, confirm and reject say why they cannot be used', async () => {
  const template = await addHeld(demo);
  const { id } = await launchTask(demo, template);
  const guest = await openAs(console, demo, 'guest');
  await guest.goto(demo.url(`templates/${template}`));
  const refused = async (name: string): Promise<void> => {
    const button = guest.getByRole('button', { name, exact: true }).last();
    await button.waitFor();
    expect([name, await button.getAttribute('aria-disabled')]).toEqual([name, 'true']);
    await expect
      .poll(() => button.getAttribute('aria-description'))
      .toBe('You have read-only access');
    await button.click({ force: true });
  };
  const sentence = guest.getByRole('main').getByText('You have read-only access', { exact: true });
  await sentence.waitFor();
  await refused('Run');
  expect(await guest.getByRole('dialog').count()).toBe(0);
  await follow(guest, demo.url(`templates/${template}?t=${id}`));
  await guest.getByRole('dialog').getByText('Waiting for confirmation').first().waitFor();
  await refused('Confirm');
  await refused('Reject');
  await refused('Stop');
  await refused(`Re-run task #${id}`);
  expect((await readTask(demo, id)).status).toBe('waiting_confirmation');
  await demo.call('POST', demo.api(`tasks/${id}/confirm`));
  await guest.getByRole('dialog').getByText('Success', { exact: true }).waitFor();
  await untilTask(demo, id, 'success');
  await guest.goto(demo.url('templates'));
  await sentence.waitFor();
});

test.each([
  ['task_runner', 'You can run any tasks'],
  ['manager', null],
] as const)('a %s reads beside the templates what the role allows: %s', async (role, sentence) => {
  const page = await openAs(console, demo, role);
  for (const path of ['templates', `templates/${demo.template(1)}`]) {
    await page.goto(demo.url(path));
    await page.getByText('1. Say hello').first().waitFor();
    const said = page
      .getByRole('main')
      .getByText(/^You (?:can run any tasks|have read-only access)$/);
    await expect.poll(() => said.allTextContents()).toEqual(sentence === null ? [] : [sentence]);
  }
  // Only who may change the template is told what to change in it.
  await page.goto(demo.url(`templates?run=${demo.template(1)}`));
  await page.getByRole('dialog').getByLabel('Message').waitFor();
  const told = await page.getByText('Please allow overriding CLI argument').count();
  expect(told).toBe(role === 'task_runner' ? 0 : 1);
});
