// The cards of what waits for a person: what they say, and what their buttons send.

import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { overview, type WaitingTask } from '#shared/api/overview.ts';
import { tasks } from '#shared/api/tasks.ts';
import { type WaitingApproval, workflowRuns } from '#shared/api/workflow-runs.ts';
import { users } from '#shared/api/users.ts';
import { renderAt, replyOf } from '../../../../../test/components/render.tsx';
import { aUser } from '../../../../../test/components/samples.ts';
import { WaitingList } from './waiting-list.tsx';
import { WaitingOfProject } from './waiting-of-project.tsx';

const counts = { create: 2, update: 1, delete: 3, replace: 0, forget: 0, import: 0, move: 0 };

const task: WaitingTask = {
  id: 7,
  project_id: 1,
  project_name: 'Webshop',
  template_id: 2,
  template_name: 'Deploy shop',
  template_type: 'deploy',
  status: 'waiting_confirmation',
  dry_run: false,
  message: 'Release on Thursday',
  user_name: 'Ada',
  launcher: null,
  created: '2026-01-01T00:00:00.000Z',
  start: null,
  end: null,
  version: '4.2.1',
  commit_hash: 'abcdef0123456789abcdef0123456789abcdef01',
  commit_message: 'Faster search',
  environment: '{"color":"red"}',
  secret_answers: ['password'],
  launched_with: { inventory: { id: 1, name: 'Production' }, branch: 'main', limit: 'web*' },
  only_hosts: null,
  inventory_hosts: 3,
  plan: { ...counts, outputs: 0, drift: 0, invoke: 0, defer: 0, other: 0 } as WaitingTask['plan'],
  confirmation_reason: null,
  confirm_until: '2026-01-08T00:00:00.000Z',
};

const approval: WaitingApproval = {
  project_id: 1,
  project_name: 'Webshop',
  run_id: 3,
  name: 'Release',
  node: 'ok',
  node_name: 'Release now?',
  question: 'Is it quiet?',
  begin: '2026-01-01T00:00:00.000Z',
  until: null,
  has_fields: false,
  created: '2026-01-01T00:00:00.000Z',
  user_name: 'Grace',
  message: '',
  next: ['Build', 'Deploy'],
};

const open = async (props: Partial<Parameters<typeof WaitingList>[0]> = {}) => {
  const view = await renderAt(<WaitingList tasks={[task]} approvals={[approval]} {...props} />, {
    replies: [
      replyOf(users.current, aUser),
      replyOf(tasks.confirm, undefined),
      replyOf(workflowRuns.decide, undefined),
    ],
  });
  return { ...view, card: (name: string) => view.findByRole('region', { name }) };
};

test('a card says what a task will do, who launched it and until when it waits', async () => {
  const { card } = await open();
  const text = (await card('#7 Deploy shop')).textContent ?? '';
  for (const part of [
    'Plan: 2 to add, 1 to change, 3 to destroy',
    'Version4.2.1',
    'abcdef01 Faster search',
    'Production · 3 hosts',
    'web*',
    'color=red password=•••',
    'Release on Thursday',
    'Ada',
    'Waits until',
    'Webshop',
  ]) {
    expect(text).toContain(part);
  }
});

test('the card of an approval says what follows, and sends the comment with the decision', async () => {
  const { card, user, sent } = await open({ ofProject: true });
  const region = within(await card('Release: Release now?'));
  region.getByText('Build, Deploy');
  region.getByText('Is it quiet?');
  expect(region.queryByText('Webshop')).toBeNull();
  await user.type(region.getByLabelText('Comment'), 'Not today');
  await user.click(region.getByRole('button', { name: 'Reject Release now?' }));
  expect(sent.at(-1)).toMatchObject({ body: { approve: false, comment: 'Not today' } });
});

test('a task is confirmed from its card', async () => {
  const { card, user, sent } = await open();
  const region = within(await card('#7 Deploy shop'));
  await user.click(region.getByRole('button', { name: 'Confirm #7 Deploy shop' }));
  expect(sent.at(-1)?.path).toBe('/api/project/1/tasks/7/confirm');
});

test('who needs a second person does not confirm their own task, but may reject it', async () => {
  const params = { user: aUser.username };
  const confirmation_reason = { code: 'confirmation.second_person' as const, params, text: '' };
  const { card } = await open({ tasks: [{ ...task, confirmation_reason }] });
  const region = within(await card('#7 Deploy shop'));
  const button = (name: string) => region.getByRole('button', { name: `${name} #7 Deploy shop` });
  await waitFor(() => expect(button('Confirm').getAttribute('aria-disabled')).toBe('true'));
  expect(button('Reject').getAttribute('aria-disabled')).toBeNull();
  region.getByText(/asks for a second person: someone else has to confirm it/);
});

test('the cards of a project are requested for this project', async () => {
  const view = await renderAt(<WaitingOfProject projectId={1} />, {
    replies: [
      replyOf(overview.tasks, { to_confirm: [{ ...task, plan: null }], active: [], failed: [] }),
      replyOf(overview.approvals, [approval]),
    ],
  });
  await view.findByRole('region', { name: '#7 Deploy shop' });
  await view.findByRole('region', { name: 'Release: Release now?' });
  expect(view.reads.toSorted()).toEqual([
    '/api/user/approvals?project_id=1',
    '/api/user/overview?project_id=1',
  ]);
});
