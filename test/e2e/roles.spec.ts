// What a guest sees: everything that runs, and no button that would do nothing.

import { expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { callApi, openDemo, expectNoComplaints, useConsole } from '../helpers/console.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const { open, signIn } = console;

const password = 'a password of somebody';

test('a guest follows a task, and run, confirm and reject say why they cannot be used', async () => {
  const owner = await openDemo(console);
  const user = await callApi<{ id: number }>(owner, 'post', '/api/users', {
    username: 'guest',
    name: 'Guest',
    email: 'guest@example.com',
    password,
  });
  const member = { user_id: user.id, role: 'guest' };
  await callApi(owner, 'post', '/api/project/1/users', member);
  const [first] = await callApi<Template[]>(owner, 'get', '/api/project/1/templates');
  const template = await callApi<Template>(owner, 'post', '/api/project/1/templates', {
    name: 'Held',
    playbook: first?.playbook,
    repository_id: first?.repository_id,
    inventory_id: first?.inventory_id,
    environment_id: first?.environment_id,
    requires_confirmation: true,
  });
  const launch = { template_id: template.id };
  const { id } = await callApi<Task>(owner, 'post', '/api/project/1/tasks', launch);

  const guest = await open();
  await signIn(guest, 'guest', password);
  await guest.waitForURL('**/project/1/**');
  await guest.goto(`${console.server.address}/project/1/templates/${template.id}`);
  const refused = async (name: string): Promise<void> => {
    const button = guest.getByRole('button', { name, exact: true }).last();
    await button.waitFor();
    expect([name, await button.getAttribute('aria-disabled')]).toEqual([name, 'true']);
    await expect
      .poll(() => button.getAttribute('aria-description'))
      .toBe('You have read-only access');
    await button.click({ force: true });
  };
  await refused('Run');
  expect(await guest.getByRole('dialog').count()).toBe(0);
  await guest.goto(`${console.server.address}/project/1/templates/${template.id}?t=${id}`);
  await guest.getByRole('dialog').getByText('Waiting for confirmation').first().waitFor();
  await refused('Confirm');
  await refused('Reject');
  await refused(`Re-run task #${id}`);
  const path = `/api/project/1/tasks/${id}`;
  expect((await callApi<Task>(owner, 'get', path)).status).toBe('waiting_confirmation');
  await callApi(owner, 'post', `${path}/confirm`);
  await guest.getByRole('dialog').getByText('Success', { exact: true }).waitFor();
  await until(async () => (await callApi<Task>(owner, 'get', path)).status === 'success');
  expectNoComplaints();
});
