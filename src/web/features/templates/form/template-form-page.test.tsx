import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { apps } from '#shared/api/apps.ts';
import { environments } from '#shared/api/environments.ts';
import { executionEnvironments } from '#shared/api/execution-environments.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import { runners } from '#shared/api/runners.ts';
import { type Schedule, schedules } from '#shared/api/schedules.ts';
import { newTemplate, type Template, templateDefaults, templates } from '#shared/api/templates.ts';
import { users } from '#shared/api/users.ts';
import { views } from '#shared/api/views.ts';
import { refusalOf, renderAt, replyOf, revision } from '../../../../../test/components/render.tsx';
import {
  aKey,
  anApp,
  anEnvironment,
  anInventory,
  aRepository,
  aSchedule,
  aTemplate,
  aUser,
} from '../../../../../test/components/samples.ts';
import { TemplateFormPage } from './template-form-page.tsx';
import type { TemplateParts } from './template-fields-props.ts';
import { fieldsOf, newValues } from './template-values.ts';

/** The parts of other nouns: here an input for the cron text. */
const parts: TemplateParts = {
  may: () => true,
  renderCron: ({ label, cron }) => (
    <input
      aria-label={label}
      value={cron.value}
      onChange={({ currentTarget }) => cron.onChange?.(currentTarget.value)}
    />
  ),
  renderPreview: () => null,
  renderNew: () => null,
};

const stored: Template = { ...aTemplate, id: 5 };
const cronSchedule: Schedule = { ...aSchedule, template_id: 5, cron_format: '0 2 * * *' };
const builds: Template[] = [
  { ...aTemplate, id: 6, name: 'Build', type: 'build' },
  { ...aTemplate, id: 7, name: 'Release', type: 'deploy' },
];

interface TemplateSetup {
  edit?: number | 'new' | null;
  copy?: number | null;
  change?: Partial<Template>;
  own?: Schedule[];
}

async function openTemplate({ edit = 5, copy = null, change, own = [] }: TemplateSetup = {}) {
  const closed: string[] = [];
  const place = {
    projectId: 1,
    viewId: null,
    parts,
    listAddress: () => '/list',
    addressOf: (id: number) => `/template/${id}`,
    onCancel: () => closed.push('cancel'),
    onSaved: () => closed.push('saved'),
  };
  const view = await renderAt(<TemplateFormPage {...place} edit={edit} copy={copy} />, {
    replies: [
      replyOf(apps.list, [anApp('ansible'), anApp('terraform'), anApp('python'), anApp('bash')]),
      replyOf(environments.list, [anEnvironment, { ...anEnvironment, id: 2, name: 'Secrets' }]),
      replyOf(executionEnvironments.list, []),
      replyOf(inventories.list, [anInventory]),
      replyOf(keys.list, [aKey]),
      replyOf(repositories.list, [aRepository]),
      replyOf(repositories.files, { playbooks: ['site.yml'], others: [], complete: true }),
      replyOf(runners.tags, []),
      replyOf(schedules.ofTemplate, own),
      replyOf(schedules.validate, { next: [], time_zone: 'UTC' }),
      replyOf(schedules.create, cronSchedule),
      replyOf(schedules.remove, undefined),
      replyOf(templates.list, [{ ...stored, type: 'build' }, aTemplate, ...builds]),
      replyOf(templates.one, { ...stored, ...change }),
      replyOf(templates.create, stored),
      replyOf(templates.update, undefined),
      replyOf(users.current, aUser),
      replyOf(views.list, []),
    ],
  });
  await view.field('Name');
  const calls = () => view.sent.map(({ method, path }) => `${method} ${path}`);
  return { ...view, calls, closed };
}

/** What is sent of the stored template when nothing was changed. */
const unchanged = newTemplate.parse({
  ...templateDefaults,
  name: 'Deploy',
  playbook: 'site.yml',
  inventory_id: 1,
  repository_id: 1,
  environment_id: 1,
  environment_ids: [1],
  arguments: '',
  git_branch: '',
});

test('a build needs a start version, and a deploy a build', async () => {
  const { user, findByRole, press, findByText, options, calls } = await openTemplate();
  await user.click(await findByRole('radio', { name: 'Build' }));
  await press('Save');
  expect(await findByText('Start version is required')).toBeTruthy();
  await user.click(await findByRole('radio', { name: 'Deploy' }));
  // Not the template itself, and none that builds nothing.
  expect(await options('Build template')).toEqual(['Build', 'Release']);
  await press('Save');
  expect(await findByText('Build template is required')).toBeTruthy();
  expect(calls()).toEqual([]);
});

test('a new template takes the only choices, and asks for the others', async () => {
  const { field, press, findByText, getByText, queryByText, calls } = await openTemplate({
    edit: 'new',
  });
  await waitFor(async () => expect((await field('Inventory *')).value).toBe('Production'));
  expect((await field('Repository')).value).toBe('Playbooks');
  await press('Create');
  expect(await findByText('Name is required')).toBeTruthy();
  expect(getByText('Playbook filename is required')).toBeTruthy();
  expect(getByText('Choose an environment, or None')).toBeTruthy();
  expect(queryByText('Choose an inventory, or None')).toBeNull();
  expect(calls()).toEqual([]);
});

test('a change sends the fields of its app with the revision, and no schedule', async () => {
  const { choose, press, sent } = await openTemplate({
    change: { limit: 'web*', tags: 'a', skip_tags: 'b', working_directory: 'ansible' },
  });
  await choose('App', 'terraform');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toEqual([
    {
      method: 'PUT',
      path: '/api/project/1/templates/5',
      ifMatch: revision,
      body: { ...unchanged, app: 'terraform' },
    },
  ]);
});

test('no environment is a choice too, and drops the further ones', async () => {
  const { choose, field, labels, press, sent } = await openTemplate({
    change: { environment_ids: [1, 2] },
  });
  await field('Additional environments');
  await choose('Environment', 'None');
  expect(labels()).not.toContain('Additional environments');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({ ...unchanged, environment_id: null, environment_ids: [] });
});

test('a copy is a new template with the same values, without the schedule', async () => {
  const { field, press, sent } = await openTemplate({ edit: null, copy: 5, own: [cronSchedule] });
  expect((await field('Name')).value).toBe('Deploy (copy)');
  expect((await field('Cron')).value).toBe('');
  await press('Create');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/api/project/1/templates',
      body: { ...unchanged, name: 'Deploy (copy)' },
    },
  ]);
});

test('an emptied cron text deletes the schedule of the template', async () => {
  const { user, field, press, calls } = await openTemplate({ own: [cronSchedule] });
  expect((await field('Cron')).value).toBe('0 2 * * *');
  await user.clear(await field('Cron'));
  await press('Save');
  await waitFor(() =>
    expect(calls()).toEqual([
      'PUT /api/project/1/templates/5',
      'DELETE /api/project/1/schedules/1',
    ]),
  );
});

test('a cron text is checked before anything is saved', async () => {
  const { answer, fill, labels, press, calls, sent } = await openTemplate();
  answer(refusalOf(schedules.validate, { status: 400, code: 'request.invalid' }));
  expect(labels()).not.toContain('Only with new commits in');
  await fill('Cron', '0 99 * * *');
  expect(labels()).toContain('Only with new commits in');
  const validate = 'POST /api/project/1/schedules/validate';
  await press('Save');
  await waitFor(() => expect(calls()).toEqual([validate]));
  answer(replyOf(schedules.validate, { next: [], time_zone: 'UTC' }));
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(4));
  expect(calls().slice(1)).toEqual([
    validate,
    'PUT /api/project/1/templates/5',
    'POST /api/project/1/schedules',
  ]);
  expect(sent[3]?.body).toMatchObject({ template_id: 5, cron_format: '0 99 * * *', active: true });
});

test('a new template whose schedule was refused is not created twice', async () => {
  const { answer, choose, fill, press, sent, calls } = await openTemplate({ edit: 'new' });
  answer(refusalOf(schedules.create, { status: 500 }));
  await fill('Name', 'Deploy');
  await fill('Playbook filename', 'site.yml');
  await choose('Environment', 'Variables');
  await fill('Cron', '@daily');
  await press('Create');
  await waitFor(() => expect(sent).toHaveLength(3));
  await press('Create');
  await waitFor(() => expect(sent).toHaveLength(6));
  expect([calls()[1], calls()[4]]).toEqual([
    'POST /api/project/1/templates',
    'PUT /api/project/1/templates/5',
  ]);
});

test('a refused field of a far section gets the focus, and the index marks the section', async () => {
  const { answer, press, fill, field, findByRole, findByText, queryByText } = await openTemplate();
  answer(
    refusalOf(templates.update, {
      status: 400,
      code: 'request.invalid',
      fields: [{ path: 'keep_days', code: 'field.required', params: {}, message: '' }],
    }),
  );
  await press('Save');
  await findByText('Fill this in');
  expect(document.activeElement).toBe(await field('Days to keep finished tasks'));
  await findByRole('link', { name: 'Alerts and history has errors' });
  await fill('Days to keep finished tasks', '3');
  expect(queryByText('Fill this in')).toBeNull();
  await findByRole('link', { name: 'Alerts and history' });
});

test('the index lists the sections, and leads to them', async () => {
  const { findByRole, user } = await openTemplate();
  const index = await findByRole('navigation', { name: 'Sections' });
  const titles = within(index)
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
  const headings = [...document.querySelectorAll('h2')].map(({ textContent }) => textContent);
  expect(titles).toEqual(headings);
  Element.prototype.scrollIntoView = () => {};
  const link = within(index).getByRole('link', { name: 'Limits and retries' });
  link.focus();
  await user.keyboard('{Enter}');
  const section = await findByRole('region', { name: 'Limits and retries' });
  expect(document.activeElement).toBe(section);
});

test('a refused variable of the survey opens, and its input gets the focus', async () => {
  const { press, field, findByText, findByRole, calls } = await openTemplate();
  await press('Add variable');
  await press('New survey variable String');
  await press('Save');
  expect(await findByText('Title is required')).toBeTruthy();
  await waitFor(async () => expect(document.activeElement).toBe(await field('Title')));
  await findByRole('link', { name: 'Asked before each run has errors' });
  expect(calls()).toEqual([]);
});

test('each field of the form belongs to one section', () => {
  const listed = Object.values(fieldsOf).flat();
  expect(listed.toSorted()).toEqual(Object.keys(newValues).toSorted());
});
