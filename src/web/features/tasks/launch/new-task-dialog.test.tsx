import { waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { executionEnvironments } from '#shared/api/execution-environments.ts';
import { inventories } from '#shared/api/inventories.ts';
import { newTask, type Task, tasks } from '#shared/api/tasks.ts';
import { type Template, templates } from '#shared/api/templates.ts';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import { refusalOf, renderAt, replyOf } from '../../../../../test/components/render.tsx';
import {
  anExecutionEnvironment,
  anInventory,
  aTask,
  aTemplate,
} from '../../../../../test/components/samples.ts';
import { NewTaskDialog } from './new-task-dialog.tsx';

const allOpen = {
  allow_override_args_in_task: true,
  allow_override_inventory_in_task: true,
  allow_override_execution_environment_in_task: true,
  allow_override_branch_in_task: true,
  allow_override_limit_in_task: true,
  allow_override_tags_in_task: true,
  allow_override_skip_tags_in_task: true,
  allow_auto_approve_in_task: true,
  allow_any_variable_in_task: true,
};

interface LaunchSetup {
  earlier?: Partial<Task>;
  limit?: string;
  mayManage?: boolean;
  builds?: Task[];
}

async function openLaunch(change: Partial<Template>, given: LaunchSetup = {}) {
  const onStarted = vi.fn<(task: Task) => void>();
  const view = await renderAt(
    <NewTaskDialog
      projectId={1}
      templateId={1}
      earlier={given.earlier && { ...aTask, ...given.earlier }}
      limit={given.limit}
      mayManage={given.mayManage ?? false}
      opened
      onClose={() => {}}
      onStarted={onStarted}
    />,
    {
      replies: [
        replyOf(templates.one, { ...aTemplate, ...change }),
        replyOf(inventories.list, [anInventory]),
        replyOf(executionEnvironments.list, [anExecutionEnvironment]),
        replyOf(tasks.ofTemplate, given.builds ?? []),
        replyOf(tasks.start, aTask),
      ],
    },
  );
  await view.field('Message');
  return { ...view, onStarted };
}

const prompts = [
  'Additional variables (JSON)',
  'Inventory',
  'Execution environment',
  'Branch',
  'Limit',
  'Tags',
  'Skip tags',
  'CLI args',
  'List',
  'JSON',
];

test.each([
  {
    app: 'ansible',
    asked: prompts,
    options: ['Debug (-vvvv)', 'Dry run (--check)', 'Diff (--diff)'],
  },
  {
    app: 'terraform',
    asked: prompts.filter((label) => !['Limit', 'Tags', 'Skip tags'].includes(label)),
    options: ['Debug', 'Plan only', 'Apply without confirmation'],
  },
  {
    app: 'bash',
    asked: prompts.filter((label) => !['Limit', 'Tags', 'Skip tags'].includes(label)),
    options: ['Debug'],
  },
])('a launch of $app asks for what the template opens', async ({ app, asked, options }) => {
  const { labels } = await openLaunch({ app, ...allOpen });
  expect(labels()).toEqual(['Message', ...asked, ...options]);
});

test.each([
  { app: 'ansible', options: ['Dry run (--check)', 'Diff (--diff)'] },
  { app: 'terraform', options: ['Plan only'] },
])('a launch of $app asks for nothing that the template keeps', async ({ app, options }) => {
  const { labels } = await openLaunch({ app, allow_debug_in_task: false });
  expect(labels()).toEqual(['Message', ...options]);
});

const question = { description: '', required: false, default_value: '', values: null };
const survey: SurveyVariable[] = [
  { ...question, name: 'host', title: 'Host', type: '', required: true },
  { ...question, name: 'count', title: 'Count', type: 'int' },
  { ...question, name: 'token', title: 'Token', type: 'secret' },
  { ...question, name: 'force', title: 'Force', type: 'boolean' },
  {
    ...question,
    name: 'region',
    title: 'Region',
    type: 'enum',
    required: true,
    values: [{ name: 'Europe', value: 'eu' }],
  },
];

test('the answers of a survey are sent, secret ones apart', async () => {
  const { fill, tick, field, labels, press, sent, onStarted } = await openLaunch({
    survey_vars: survey,
  });
  expect(labels().slice(1, 6)).toEqual(['Host *', 'Count', 'Token', 'Force', 'Region *']);
  // The only value of a required answer is chosen.
  expect((await field('Region')).value).toBe('Europe');
  await fill('Host', 'web-1');
  await fill('Count', '3');
  await fill('Token', 's3cret');
  await tick('Force');
  await press('Run');
  await waitFor(() => expect(onStarted).toHaveBeenCalledTimes(1));
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/api/project/1/tasks',
      body: newTask.parse({
        template_id: 1,
        environment: '{"host":"web-1","count":3,"force":true,"region":"eu"}',
        secret: '{"token":"s3cret"}',
      }),
    },
  ]);
});

test('a required answer and a whole number are asked for', async () => {
  const { fill, press, findByText, sent } = await openLaunch({ survey_vars: survey });
  await fill('Count', 'many');
  await press('Run');
  expect(await findByText('Host is required')).toBeTruthy();
  expect(await findByText('Count must be integer')).toBeTruthy();
  expect(sent).toEqual([]);
});

test('an answer that the server refuses shows the error at its input', async () => {
  const { answer, field, fill, press, findByText } = await openLaunch({ survey_vars: survey });
  answer(
    refusalOf(tasks.start, {
      status: 400,
      code: 'request.invalid',
      fields: [
        {
          path: 'environment.host',
          code: 'survey.answer_option',
          params: { title: 'Host' },
          message: '',
        },
      ],
    }),
  );
  await fill('Host', 'web-9');
  await press('Run');
  const error = await findByText('Host must be one of the offered values');
  const input = await field('Host');
  expect(input.getAttribute('aria-describedby')).toContain(error.id);
  expect(input.value).toBe('web-9');
});

test('values that the template keeps are not sent, and an approval is not repeated', async () => {
  const { field, labels, press, sent } = await openLaunch(
    { app: 'terraform', allow_auto_approve_in_task: true, limit: 'web*' },
    { earlier: { message: 'Again', auto_approve: true, dry_run: true, git_branch: 'next' } },
  );
  expect(labels()).not.toContain('Branch');
  expect((await field('Apply without confirmation')).checked).toBe(false);
  await press('Run');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual(
    newTask.parse({
      template_id: 1,
      message: 'Again',
      environment: '{}',
      secret: '{}',
      dry_run: true,
    }),
  );
});

test('a re-run may take the same commit', async () => {
  const hash = 'a'.repeat(40);
  const { tick, press, sent, findByText } = await openLaunch(
    {},
    { earlier: { commit_hash: hash } },
  );
  expect(await findByText('Deploy › Re-run task #1')).toBeTruthy();
  await tick('Same as before (aaaaaaaa)');
  await press('Run');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ commit_hash: hash });
});

test.each([true, false])('the setting for arguments is linked if managed: %s', async (may) => {
  const { queryByRole } = await openLaunch({}, { mayManage: may });
  expect(queryByRole('link', { name: /^Please allow overriding/ }) !== null).toBe(may);
});

const build = { ...aTask, tpl_type: 'build' };

test('a deploy takes the newest build that was no dry run', async () => {
  const { field, press, sent } = await openLaunch(
    { type: 'deploy', build_template_id: 6 },
    {
      builds: [
        { ...build, id: 9, version: '1.2', dry_run: true },
        { ...build, id: 8, version: '1.1', message: 'Fix' },
        { ...build, id: 7, version: '1.0' },
      ],
    },
  );
  await waitFor(async () => expect((await field('Build version')).value).toBe('1.1 - Fix'));
  await press('Deploy');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ build_task_id: 8 });
});

test('a deploy without a build is not launched', async () => {
  const { press, findByText, sent } = await openLaunch({ type: 'deploy', build_template_id: 6 });
  expect(await findByText(/^There is no successful build yet/)).toBeTruthy();
  await press('Deploy');
  expect(await findByText('Build version is required')).toBeTruthy();
  expect(sent).toEqual([]);
});

test('a given limit is filled in instead of that of the template', async () => {
  const change = { app: 'ansible', limit: 'web*', allow_override_limit_in_task: true };
  const { field } = await openLaunch(change, { limit: 'web1,web2' });
  expect(((await field('Limit')) as HTMLInputElement).value).toBe('web1,web2');
});

test('another execution environment is chosen where the template allows it', async () => {
  const { choose, press, sent } = await openLaunch({
    allow_override_execution_environment_in_task: true,
  });
  await choose('Execution environment', 'Network modules (Container)');
  await press('Run');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ execution_environment_id: anExecutionEnvironment.id });
});
