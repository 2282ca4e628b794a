import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { DeployBoard as Board } from '#shared/api/deployments.ts';
import { stats } from '#shared/api/stats.ts';
import { refusalOf, renderAt, replyOf } from '../../../../../test/components/render.tsx';
import { BoardScreen } from './board-screen.tsx';
import { DeployBoard } from './deploy-board.tsx';

const time = '2026-11-21T08:00:00.000Z';
const ended = { created: time, end: time };

const board: Board = {
  template_id: 1,
  name: 'Build shop',
  builds: [
    { task_id: 21, version: '4.2.1', end: time },
    { task_id: 20, version: null, end: time },
  ],
  targets: [
    {
      template_id: 2,
      name: 'Deploy to staging',
      environment: 'Staging',
      current: {
        build_task_id: 20,
        task_id: 30,
        since: time,
        user_name: 'Ada',
        launcher: { kind: 'schedule', id: 5, name: 'Nightly' },
      },
      attempts: [
        { build_task_id: 21, task_id: 31, status: 'error', ...ended },
        { build_task_id: 20, task_id: 30, status: 'success', ...ended },
      ],
    },
    {
      template_id: 3,
      name: 'Deploy to production',
      environment: null,
      current: null,
      attempts: [],
    },
  ],
};

test('each deploy template has a row with its version, who deployed it, and its attempts', async () => {
  const view = await renderAt(<DeployBoard projectId={1} board={board} />);
  const table = view.getByRole('table', { name: 'Deployed versions of Build shop' });
  const headers = within(table).getAllByRole('columnheader');
  expect(headers.map(({ textContent }) => textContent)).toEqual([
    'Deploy',
    'Deployed now',
    '4.2.1',
    '#20',
  ]);
  const staging = within(view.getByRole('row', { name: /Deploy to staging/ }));
  expect(staging.getByRole('rowheader').textContent).toBe('Deploy to stagingStaging');
  const [now] = staging.getAllByRole('cell');
  expect(now?.textContent).toMatch(/^#20.*NightlyAda$/);
  const failed = staging.getByRole('link', { name: 'Deploy to staging 4.2.1, Failed' });
  expect(failed.getAttribute('href')).toBe('/project/1/tasks/31');
  const current = staging.getByRole('link', {
    name: 'Deploy to staging #20, Success, Deployed now',
  });
  expect(current.getAttribute('href')).toBe('/project/1/tasks/30');
  const production = within(view.getByRole('row', { name: /Deploy to production/ }));
  const cells = production.getAllByRole('cell').map(({ textContent }) => textContent);
  expect(cells).toEqual(['Not deployed yet', '—', '—']);
});

test('the screen has a board for each build template', async () => {
  const other = { ...board, template_id: 9, name: 'Build app' };
  const view = await renderAt(<BoardScreen projectId={1} views={null} />, {
    replies: [replyOf(stats.deployments, { boards: [board, other] })],
  });
  await view.findByRole('table', { name: 'Deployed versions of Build app' });
  const links = ['Build shop', 'Build app'].map((name) =>
    view.getByRole('link', { name }).getAttribute('href'),
  );
  expect(links).toEqual(['/project/1/templates/1', '/project/1/templates/9']);
});

test('a project without deploy templates is told what the board is for', async () => {
  const view = await renderAt(<BoardScreen projectId={1} views={null} />, {
    replies: [replyOf(stats.deployments, { boards: [] })],
  });
  expect(await view.findByText('No deploy templates yet')).toBeTruthy();
});

test('a board that cannot be read says why, and can be read again', async () => {
  const view = await renderAt(<BoardScreen projectId={1} views={null} />, {
    replies: [refusalOf(stats.deployments, { status: 500, error: 'internal' })],
  });
  const retry = await view.findByRole('button', { name: 'Try again' });
  view.answer(replyOf(stats.deployments, { boards: [board] }));
  await view.user.click(retry);
  expect(await view.findByRole('table')).toBeTruthy();
});
