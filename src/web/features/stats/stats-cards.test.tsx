import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ProjectStats } from '#shared/api/stats.ts';
import { renderAt } from '../../../../test/components/render.tsx';
import { FailingHostsCard, FailingTemplatesCard } from './failing-cards.tsx';
import { RateCard } from './rate-card.tsx';
import { RunsCard } from './runs-card.tsx';

const none: ProjectStats = {
  time_zone: 'UTC',
  days: [
    { day: '2026-11-20', success: 0, error: 0, stopped: 0 },
    { day: '2026-11-21', success: 0, error: 0, stopped: 0 },
  ],
  median_s: null,
  day_median_s: [null, null],
  wait: null,
  failing_templates: [],
  failing_hosts: [],
  slowest: [],
};

const some: ProjectStats = {
  ...none,
  days: [
    { day: '2026-11-20', success: 3, error: 1, stopped: 0 },
    { day: '2026-11-21', success: 0, error: 0, stopped: 0 },
  ],
  median_s: 92,
  day_median_s: [92, null],
  wait: { median_s: 2, p95_s: 600 },
  failing_templates: [
    { template_id: 4, name: 'Patch servers', failed: 6 },
    { template_id: 5, name: 'Deploy shop', failed: 1 },
  ],
  failing_hosts: [{ host: 'db-1', failed: 2 }],
};

test('the bar and the row of a day say its results and its median', async () => {
  const view = await renderAt(<RunsCard stats={some} range={7} picked={{}} />, {
    address: '/?days=7',
  });
  const label = /20 Nov|Nov 20/;
  // The one link of the bars is at the newest day; the keys move it.
  within(view.getByRole('group')).getByRole('link').focus();
  await view.user.keyboard('{Home}');
  expect(view.getByRole('link', { name: label }).getAttribute('aria-label')).toMatch(
    /Success 3, Failed 1, Stopped 0, Median duration 1 min 32 sec$/,
  );
  expect(view.getByRole('link', { name: '7 days' }).hasAttribute('aria-current')).toBe(true);
  expect(view.getByRole('link', { name: '30 days' }).hasAttribute('aria-current')).toBe(false);
  await view.user.click(view.getByRole('button', { name: 'Show as table' }));
  const [, newest, oldest] = view.getAllByRole('row');
  const cells = (row: HTMLElement | undefined) =>
    row &&
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect(cells(newest)).toEqual(['0', '0', '0', '—']);
  expect(cells(oldest)).toEqual(['3', '1', '0', '1 min 32 sec']);
});

test('the choice of days keeps the filter of the history', async () => {
  const view = await renderAt(<RunsCard stats={some} range={30} picked={{}} />, {
    address: '/?status=error',
  });
  const choice = view.getByRole('link', { name: '90 days' });
  expect(choice.getAttribute('href')).toBe('/?status=error&days=90');
});

test('figures without runs say so', async () => {
  const view = await renderAt(<RateCard stats={none} />);
  expect(view.getByText('No run has finished.')).toBeTruthy();
  expect(view.getByText('No run has started.')).toBeTruthy();
  expect(view.getAllByText('—')).toHaveLength(3);
});

test('the queue time has the median and the 95th percentile', async () => {
  const view = await renderAt(<RateCard stats={some} />);
  const wait = within(view.getByRole('region', { name: 'Queue time' }));
  expect(wait.getByText('2 sec')).toBeTruthy();
  expect(wait.getByText('median; 95% within 10 min')).toBeTruthy();
});

test('a failing template leads to its failed tasks of these days, and a host to its page', async () => {
  const view = await renderAt(
    <>
      <FailingTemplatesCard projectId={1} stats={some} limit={1} />
      <FailingHostsCard projectId={1} stats={some} limit={2} />
    </>,
    { address: '/?days=7' },
  );
  const hrefs = view.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(hrefs).toEqual([
    '/project/1/history?days=7&template=4&status=error&from=2026-11-20',
    '/project/1/hosts/db-1',
  ]);
});

test('cards without failures say so', async () => {
  const view = await renderAt(
    <>
      <FailingTemplatesCard projectId={1} stats={none} limit={2} />
      <FailingHostsCard projectId={1} stats={none} limit={2} />
    </>,
  );
  expect(view.getByText('No run failed.')).toBeTruthy();
  expect(view.getByText('No host failed.')).toBeTruthy();
});
