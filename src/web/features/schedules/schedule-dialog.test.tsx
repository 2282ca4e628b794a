import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { executionEnvironments } from '#shared/api/execution-environments.ts';
import { inventories } from '#shared/api/inventories.ts';
import { repositories } from '#shared/api/repositories.ts';
import { type Schedule, schedules } from '#shared/api/schedules.ts';
import { templates } from '#shared/api/templates.ts';
import { workflows } from '#shared/api/workflows.ts';
import { refusalOf, renderAt, replyOf, revision } from '../../../../test/components/render.tsx';
import {
  anInventory,
  aRepository,
  aSchedule,
  aTemplate,
  aWorkflow,
} from '../../../../test/components/samples.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';

const stored: Schedule = { ...aSchedule, id: 4, name: 'Nightly' };

const noOptions = {
  message: '',
  environment: '',
  git_branch: null,
  limit: null,
  tags: null,
  skip_tags: null,
  arguments: null,
  inventory_id: null,
  execution_environment_id: null,
  debug: false,
  debug_level: 0,
  dry_run: false,
  diff: false,
  auto_approve: false,
};

interface ScheduleSetup {
  change?: Partial<Schedule>;
  hasWorkflow?: boolean;
  workflowId?: number;
}

async function openSchedule(edit: number | 'new', given: ScheduleSetup = {}) {
  const { change, hasWorkflow, workflowId } = given;
  const scope = { projectId: 1, ...(workflowId !== undefined && { workflowId }) };
  const view = await renderAt(<ScheduleDialog {...scope} edit={edit} onClose={() => {}} />, {
    replies: [
      replyOf(templates.list, [aTemplate, { ...aTemplate, id: 2, name: 'Clean up' }]),
      replyOf(workflows.list, hasWorkflow ? [aWorkflow] : []),
      replyOf(repositories.list, [aRepository]),
      replyOf(inventories.list, [anInventory]),
      replyOf(executionEnvironments.list, []),
      replyOf(schedules.validate, { next: ['2027-01-01T02:00:00.000Z'], time_zone: 'UTC' }),
      replyOf(schedules.one, { ...stored, ...change }),
      replyOf(schedules.create, stored),
      replyOf(schedules.update, undefined),
    ],
  });
  await view.field('Name');
  /** The bodies that were saved, without the questions for the next times. */
  const saved = () => view.sent.filter(({ path }) => !path.endsWith('/validate'));
  return { ...view, saved };
}

const launchOptions = [
  'Message',
  'Answers',
  'Inventory',
  'Execution environment',
  'Branch',
  'Limit',
  'Tags',
  'Skip tags',
  'CLI args',
  'Debug',
  'Dry run',
  'Diff',
  'Apply without confirmation',
  'Debug verbosity',
];

test('a schedule is due by cron or once, and asks for that only', async () => {
  const { choose, labels } = await openSchedule('new');
  const shown = () => labels().filter((label) => !launchOptions.includes(label));
  const last = ['If due times were missed', 'Only with new commits in', 'Active'];
  expect(shown()).toEqual(['Name', 'Template *', 'Runs', 'Cron *', 'Time zone', ...last]);
  await choose('Runs', 'Once');
  expect(shown()).toEqual([
    'Name',
    'Template *',
    'Runs',
    'Date and time *',
    'Time zone',
    'Delete the schedule after its task starts',
    ...last,
  ]);
});

test('a workflow is offered where there is one, and has no launch options', async () => {
  const { choose, labels, saved, press, fill } = await openSchedule('new', { hasWorkflow: true });
  expect(launchOptions.filter((label) => labels().includes(label))).toEqual(launchOptions);
  await fill('Limit', 'web*');
  await choose('Target', 'Workflow');
  await choose('Workflow', 'Release');
  expect(labels()).not.toContain('Template *');
  expect(launchOptions.filter((label) => labels().includes(label))).toEqual([]);
  await fill('Cron', '0 2 * * *');
  await press('Create');
  await waitFor(() => expect(saved()).toHaveLength(1));
  expect(saved()[0]?.body).toEqual({
    template_id: null,
    workflow_id: 1,
    name: '',
    type: '',
    cron_format: '0 2 * * *',
    run_at: null,
    delete_after_run: false,
    repository_id: null,
    time_zone: '',
    active: true,
    missed: 'skip',
    task_params: null,
  });
});

test('the schedule of a workflow opens with this workflow', async () => {
  const { field, labels } = await openSchedule('new', { hasWorkflow: true, workflowId: 1 });
  await waitFor(async () => expect((await field('Workflow')).value).toBe('Release'));
  expect(labels()).not.toContain('Template *');
});

test('a schedule needs a template and a time', async () => {
  const { choose, press, findAllByText, saved } = await openSchedule('new');
  await press('Create');
  expect(await findAllByText('Fill this in')).toHaveLength(2);
  await choose('Runs', 'Once');
  await press('Create');
  expect(await findAllByText('Fill this in')).toHaveLength(2);
  expect(saved()).toEqual([]);
});

test('a time is entered in the time zone of the schedule and sent in UTC', async () => {
  const { field, press, saved } = await openSchedule(4, {
    change: {
      type: 'run_at',
      cron_format: '',
      run_at: '2027-07-01T10:00:00Z',
      time_zone: 'Europe/Berlin',
    },
  });
  expect((await field('Date and time')).value).toBe('2027-07-01T12:00');
  await press('Save');
  await waitFor(() => expect(saved()).toHaveLength(1));
  expect(saved()[0]).toMatchObject({
    method: 'PUT',
    ifMatch: revision,
    body: { type: 'run_at', run_at: '2027-07-01T10:00:00Z', time_zone: 'Europe/Berlin' },
  });
});

test('an example fills the cron text, whose next times are shown', async () => {
  const { press, field, findByText, getByRole } = await openSchedule('new');
  await press('On workdays');
  expect((await field('Cron')).value).toBe('0 6 * * 1-5');
  expect(getByRole('button', { name: 'On workdays', pressed: true })).toBeTruthy();
  expect(await findByText('Next times (UTC)')).toBeTruthy();
  expect(await findByText(/06:00.* Monday through Friday/)).toBeTruthy();
});

test('a cron text that the server refuses shows the reason before it is saved', async () => {
  const { answer, fill, findByText, saved } = await openSchedule('new');
  answer(
    refusalOf(schedules.validate, {
      status: 400,
      code: 'request.invalid',
      fields: [
        { path: 'cron_format', code: 'schedule.cron_hour', params: { value: '99' }, message: '' },
      ],
    }),
  );
  await fill('Cron', '0 99 * * *');
  expect(await findByText('The hour "99" is not valid')).toBeTruthy();
  expect(saved()).toEqual([]);
});

test.each([
  { limit: null, isOpen: false },
  { limit: 'web*', isOpen: true },
])('launch options are open if one is set (limit: $limit)', async ({ limit, isOpen }) => {
  const view = await openSchedule(4, {
    change: { task_params: limit === null ? null : { ...noOptions, limit } },
  });
  const group = view.getByText('Run options').closest('details');
  expect(group?.open).toBe(isOpen);
  await view.fill('Limit', 'db*');
  await view.press('Save');
  await waitFor(() => expect(view.saved()).toHaveLength(1));
  expect(view.saved()[0]?.body).toMatchObject({ task_params: { ...noOptions, limit: 'db*' } });
});
