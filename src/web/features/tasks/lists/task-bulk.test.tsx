// Stopping and re-running the selected tasks of a list.

import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type ActiveTask, activeTasks } from '#shared/api/active-tasks.ts';
import { tasks } from '#shared/api/tasks.ts';
import type { Right } from '#shared/rights.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import { renderAt, replyOf } from '../../../../../test/components/render.tsx';
import { aTask } from '../../../../../test/components/samples.ts';
import { ActiveTaskList } from './active-task-list.tsx';
import { TaskHistory } from './task-history.tsx';

const statuses: TaskStatus[] = ['waiting', 'running', 'stopping', 'success', 'error', 'stopped'];

const rows = statuses.map((status, index) => ({
  ...aTask,
  id: 16 - index,
  tpl_alias: `Deploy ${status}`,
  status,
}));

const done = (id: number) => ({ id, ok: true, error: null, task_id: null });

async function openHistory(...rights: Right[]) {
  const view = await renderAt(
    <TaskHistory
      projectId={1}
      templateId={2}
      page={1}
      onPage={() => undefined}
      may={(right) => rights.includes(right)}
    />,
    {
      replies: [
        replyOf(tasks.lastOfTemplate, rows),
        replyOf(tasks.bulk, [16, 15, 14, 13, 12, 11].map(done)),
      ],
    },
  );
  await view.findByRole('link', { name: '#16' });
  const answer = async (title: string) => {
    const question = within(await view.findByRole('dialog', { name: title }));
    const names = question.getAllByRole('listitem').map(({ textContent }) => textContent);
    await view.user.click(question.getByRole('button', { name: title }));
    return names;
  };
  return { ...view, confirm: answer };
}

test('the bar offers each action for the selected tasks that it applies to', async () => {
  const { user, getByRole, press, confirm, sent, findByRole, queryByRole } = await openHistory(
    'task.stop',
    'task.restart',
  );
  await user.click(getByRole('checkbox', { name: 'Select all 6' }));
  await press('Stop 2 tasks');
  expect(await confirm('Stop 2 tasks')).toEqual(['#16 Deploy waiting', '#15 Deploy running']);
  await expect.poll(() => queryByRole('toolbar')).toBeNull();
  await user.click(getByRole('checkbox', { name: 'Select #13 Deploy success' }));
  await press('Re-run 1 task');
  expect(await confirm('Re-run 1 task')).toEqual(['#13 Deploy success']);
  await findByRole('checkbox', { name: 'Select all 6' });
  const path = '/api/project/1/tasks/bulk';
  await expect
    .poll(() => sent)
    .toEqual([
      { method: 'POST', path, body: { action: 'stop', ids: [16, 15] } },
      { method: 'POST', path, body: { action: 'restart', ids: [13] } },
    ]);
});

test('a task that is stopping already is offered no action', async () => {
  const { user, getByRole } = await openHistory('task.stop', 'task.restart');
  await user.click(getByRole('checkbox', { name: 'Select #14 Deploy stopping' }));
  const bar = within(getByRole('toolbar', { name: 'Selection' }));
  expect(bar.queryByRole('button', { name: /^(?:Stop|Re-run)/ })).toBeNull();
});

test('the bar has only what the role of the user allows', async () => {
  const { user, getByRole } = await openHistory('task.stop');
  await user.click(getByRole('checkbox', { name: 'Select all 6' }));
  const bar = within(getByRole('toolbar', { name: 'Selection' }));
  expect(bar.getByRole('button', { name: 'Stop 2 tasks' })).toBeTruthy();
  expect(bar.queryByRole('button', { name: /^Re-run/ })).toBeNull();
});

test('guests select no tasks', async () => {
  const { queryByRole } = await openHistory();
  expect(queryByRole('checkbox')).toBeNull();
});

const anActiveTask: ActiveTask = {
  task_id: 1,
  project_id: 1,
  project_name: 'Shop',
  template_id: 1,
  template_name: 'Deploy',
  username: '',
  launcher: null,
  runner_id: null,
  runner_name: '',
  status: 'waiting',
  dry_run: false,
  location: 'queue',
  created: '2026-11-01T12:00:00Z',
  start: null,
  waiting_for: null,
};

test('an administrator stops tasks of several projects', async () => {
  const all = [
    anActiveTask,
    { ...anActiveTask, task_id: 2, project_id: 7, project_name: 'Blog' },
    { ...anActiveTask, task_id: 3 },
  ];
  const { user, press, findByRole, sent } = await renderAt(
    <ActiveTaskList page={1} onPage={() => undefined} />,
    { replies: [replyOf(activeTasks.list, all), replyOf(tasks.bulk, [1, 2, 3].map(done))] },
  );
  await user.click(await findByRole('checkbox', { name: 'Select all 3' }));
  await press('Stop 3 tasks');
  const question = within(await findByRole('dialog', { name: 'Stop 3 tasks' }));
  await user.click(question.getByRole('button', { name: 'Stop 3 tasks' }));
  await expect
    .poll(() => sent.map(({ path, body }) => [path, body]))
    .toEqual([
      ['/api/project/1/tasks/bulk', { action: 'stop', ids: [1, 3] }],
      ['/api/project/7/tasks/bulk', { action: 'stop', ids: [2] }],
    ]);
});
