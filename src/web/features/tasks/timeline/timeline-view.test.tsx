import { act, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { PlayTask, RunHost } from '#shared/api/run-results.ts';
import { type Task, tasks } from '#shared/api/tasks.ts';
import { refusalOf, renderAt, replyOf } from '../../../../../test/components/render.tsx';
import { aTask } from '../../../../../test/components/samples.ts';
import { countStates } from '../results/outcomes.ts';
import { TimelineView } from './timeline-view.tsx';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const noCounts = countStates([]);

const playTask = (section: number, name: string, change: Partial<PlayTask>): PlayTask => ({
  ...noCounts,
  section,
  sections: [section],
  kind: 'task',
  name,
  play: 'Patch servers',
  module: 'ansible.builtin.copy',
  role: '',
  path: null,
  file_line: null,
  file_url: null,
  line: section,
  begin: at(section * 2),
  end: at(section * 2 + 1),
  duration_ms: 1000,
  ...change,
});

const host = (name: string, change: Partial<RunHost>): RunHost => ({
  ...noCounts,
  host: name,
  begin: at(4),
  end: at(7),
  duration_ms: 2000,
  first_failure: null,
  ...change,
});

const runReplies = [
  replyOf(tasks.playTasks, {
    tasks: [
      playTask(2, 'Copy files', { ok: 1, changed: 1 }),
      playTask(3, 'Restart', { ok: 1, failed: 1 }),
    ],
    is_complete: true,
  }),
  replyOf(tasks.hosts, [host('web-1', { ok: 2 }), host('web-2', { changed: 1, failed: 1 })]),
  replyOf(tasks.timeline, {
    hosts: ['web-1', 'web-2'],
    start: at(4),
    host: [0, 1, 0, 1],
    section: [2, 2, 3, 3],
    state: ['ok', 'changed', 'ok', 'failed'],
    begin: [0, 0, 2000, 2000],
    duration_ms: [500, 800, 300, 900],
    next: null,
  }),
];

const open = async (address = '/?view=timeline', replies = runReplies) => {
  const view = await renderAt(<TimelineView task={aTask} hasResults />, { address, replies });
  const rows = () => view.getAllByRole('rowheader').map(({ textContent }) => textContent);
  /** The path of each result in the lane of a name. */
  const shapes = (name: string) =>
    [
      ...view
        .getByRole('row', { name: new RegExp(name) })
        .querySelectorAll<SVGPathElement>('td > svg > path'),
    ].map(({ dataset }) => dataset['state']);
  return { ...view, rows, shapes };
};

test('tasks have a lane each below their play, after the preparation, with their results', async () => {
  const { findByRole, rows, shapes, getByRole, user } = await open();
  await findByRole('table', { name: 'Timeline of the run' });
  expect(rows()).toEqual(['Preparing', 'Patch servers', 'ChangedCopy files', 'FailedRestart']);
  expect(shapes('Restart')).toEqual(['failed', 'ok']);
  await user.click(getByRole('button', { name: 'Failed 1' }));
  expect(rows()).toEqual(['FailedRestart']);
});

test('arrow keys move from bar to bar, which lead to the results of the task', async () => {
  const { findByRole, findAllByRole, user, router } = await open();
  const [link] = await findAllByRole('link', { name: 'Copy files' });
  link?.focus();
  await user.keyboard('{ArrowDown}');
  const first = await findByRole('link', {
    name: 'Copy files · 1 changed, 1 ok · at 0:04 · 1.0 sec',
  });
  await waitFor(() => expect(document.activeElement).toBe(first));
  await user.keyboard('{ArrowDown}');
  const second = await findByRole('link', { name: /^Restart · 1 failed, 1 ok · at 0:06/ });
  await waitFor(() => expect(document.activeElement).toBe(second));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.search).toEqual({ view: 'tasks', section: 3 }));
});

test('hosts have a lane each, the worst first, and a bar leads to its result', async () => {
  const { findByRole, getByText, getAllByRole, rows, shapes, user, router } = await open();
  await findByRole('table', { name: 'Timeline of the run' });
  await user.click(getByText('Hosts'));
  await waitFor(() =>
    expect(router.state.location.search).toEqual({ view: 'timeline', lanes: 'hosts' }),
  );
  await waitFor(() => expect(rows()).toEqual(['Failedweb-2', 'OKweb-1']));
  await waitFor(() => expect(shapes('web-2')).toEqual(['changed', 'failed']));
  getAllByRole('link', { name: 'web-2' })[0]?.focus();
  await user.keyboard('{ArrowDown}{ArrowRight}');
  const bar = await findByRole('link', { name: 'web-2 · Restart · Failed · at 0:06 · 0.9 sec' });
  await waitFor(() => expect(document.activeElement).toBe(bar));
  await user.click(bar);
  await waitFor(() =>
    expect(router.state.location.search).toEqual({ view: 'hosts', host: 'web-2', section: 3 }),
  );
});

test('keys and buttons zoom, and show the whole run again', async () => {
  const { findByRole, getByRole, user } = await open();
  const whole = await findByRole('button', { name: 'Fit to screen' });
  expect(whole.getAttribute('aria-disabled')).toBe('true');
  getByRole('link', { name: 'Restart' }).focus();
  await user.keyboard('+');
  await waitFor(() => expect(whole.getAttribute('aria-disabled')).toBeNull());
  await user.keyboard('-');
  await waitFor(() => expect(whole.getAttribute('aria-disabled')).toBe('true'));
  await user.click(getByRole('button', { name: 'Zoom in' }));
  await user.click(whole);
  await waitFor(() => expect(whole.getAttribute('aria-disabled')).toBe('true'));
});

test('the address has the visible part, which Back and a reload show again', async () => {
  const { findByRole, getByRole, user, router } = await open('/?view=timeline&zoom=1000-3000');
  const whole = await findByRole('button', { name: 'Fit to screen' });
  expect(whole.getAttribute('aria-disabled')).toBeNull();
  const searched = () => router.state.location.search;
  await user.click(getByRole('button', { name: 'Zoom in' }));
  await waitFor(() => expect(searched()).toEqual({ view: 'timeline', zoom: '1500-2500' }));
  await user.click(whole);
  await waitFor(() => expect(searched()).toEqual({ view: 'timeline' }));
  await act(() =>
    router.navigate({ to: '.', search: { view: 'timeline', zoom: '0-500' } as never }),
  );
  await waitFor(() => expect(whole.getAttribute('aria-disabled')).toBeNull());
});

test('a run without results says so, and one that cannot be read offers to try again', async () => {
  const none = replyOf(tasks.playTasks, { tasks: [], is_complete: true });
  const empty = await open('/?view=timeline', [none]);
  await empty.findByText('No results recorded for this run.');
  empty.unmount();
  const refused = refusalOf(tasks.timeline, { status: 404, code: 'task.not_found' });
  const failed = await open('/?view=timeline&lanes=hosts', [...runReplies, refused]);
  const again = await failed.findByRole('button', { name: 'Try again' });
  failed.answer(...runReplies);
  await failed.user.click(again);
  await waitFor(() => expect(failed.shapes('web-1')).toEqual(['ok']));
});

test('a run of another program has its stages as lanes, and nothing to choose', async () => {
  const planned: Task = { ...aTask, created: at(-5), confirmed_at: at(20) };
  const view = await renderAt(<TimelineView task={planned} hasResults={false} />);
  await view.findByRole('table', { name: 'Timeline of the run' });
  const names = view.getAllByRole('rowheader').map(({ textContent }) => textContent);
  expect(names).toEqual(['Waiting', 'Waiting for confirmation', 'Running']);
  expect(view.queryByRole('radiogroup')).toBeNull();
});
