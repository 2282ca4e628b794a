import { useForm } from '@mantine/form';
import type { ComponentType } from 'react';
import { expect, test } from 'vitest';
import { apps } from '#shared/api/apps.ts';
import { environments } from '#shared/api/environments.ts';
import { executionEnvironments } from '#shared/api/execution-environments.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import { runners } from '#shared/api/runners.ts';
import { templates } from '#shared/api/templates.ts';
import { users } from '#shared/api/users.ts';
import { views } from '#shared/api/views.ts';
import { renderAt, replyOf } from '../../../../../test/components/render.tsx';
import { anApp, aRepository, aTemplate, aUser } from '../../../../../test/components/samples.ts';
import { TemplateBasics } from './template-basics.tsx';
import type { FieldsProps } from './template-fields-props.ts';
import { TemplateLaunch } from './template-launch.tsx';
import { TemplateCommand } from './template-command.tsx';
import { TemplateAftermath, TemplateExecution, TemplateLimits } from './template-limits.tsx';
import { TemplateSources } from './template-sources.tsx';
import { newValues, type TemplateValues } from './template-values.ts';

/** Renders a part of the form with these values. */
async function openPart(Part: ComponentType<FieldsProps>, change: Partial<TemplateValues> = {}) {
  function FormPart() {
    const form = useForm<TemplateValues>({ initialValues: { ...newValues, ...change } });
    return (
      <Part
        projectId={1}
        templateId={null}
        form={form}
        isNew
        onNew={() => {}}
        may={() => true}
        renderCron={() => null}
        renderPreview={() => null}
        renderNew={() => null}
      />
    );
  }
  return renderAt(<FormPart />, {
    replies: [
      replyOf(apps.list, ['ansible', 'terraform', 'python', 'bash'].map(anApp)),
      replyOf(environments.list, []),
      replyOf(executionEnvironments.list, []),
      replyOf(inventories.list, []),
      replyOf(keys.list, []),
      replyOf(repositories.list, [aRepository]),
      replyOf(repositories.files, { playbooks: ['site.yml'], others: [], complete: true }),
      replyOf(runners.tags, []),
      replyOf(templates.list, [aTemplate]),
      replyOf(users.current, aUser),
      replyOf(views.list, []),
    ],
  });
}

test.each([
  { app: 'ansible', file: 'Playbook filename *', hasFolder: true },
  { app: 'terraform', file: 'Folder', hasFolder: false },
  { app: 'python', file: 'Script filename *', hasFolder: true },
  { app: 'bash', file: 'Script filename *', hasFolder: true },
])('what runs in a template of $app is: $file', async ({ app, file, hasFolder }) => {
  const { field, labels, queryByRole } = await openPart(TemplateSources, { app });
  await field(file.replace(' *', ''));
  expect(labels()).toContain(file);
  expect(labels().includes('Working directory')).toBe(hasFolder);
  expect(queryByRole('button', { name: 'Add vault' }) !== null).toBe(app === 'ansible');
});

test.each([
  { app: 'ansible', values: ['Limit', 'Tags', 'Skip tags'] },
  { app: 'terraform', values: [] },
  { app: 'bash', values: [] },
])('the command of $app has $values', async ({ app, values }) => {
  const { findByRole, labels } = await openPart(TemplateCommand, { app });
  await findByRole('radio', { name: 'List' });
  expect(labels()).toEqual([...values, 'CLI args', 'List', 'JSON']);
});

test.each([
  {
    app: 'ansible',
    flags: ['Limit', 'Tags', 'Skip tags', 'CLI args', 'Debug', 'Any variable'],
  },
  {
    app: 'terraform',
    flags: ['CLI args', 'Debug', 'Any variable', 'Apply without confirmation'],
  },
  { app: 'bash', flags: ['CLI args', 'Debug', 'Any variable'] },
])('launches of $app may set $flags', async ({ app, flags }) => {
  const { findByText, labels } = await openPart(TemplateLaunch, { app });
  await findByText('Can be changed for each run');
  expect(labels()).toEqual(['Inventory', 'Execution environment', 'Branch', ...flags]);
});

test.each([
  { type: '' as const, fields: [] },
  { type: 'build' as const, fields: ['Start version *'] },
  {
    type: 'deploy' as const,
    fields: ['Build template *', 'Deploy automatically after each successful build'],
  },
])('a template of type "$type" asks for $fields', async ({ type, fields }) => {
  const { field, labels } = await openPart(TemplateBasics, { type });
  await field('Name');
  const shown = labels();
  expect(shown.slice(shown.indexOf('Deploy') + 1)).toEqual(fields);
});

/** The last four sections below each other. */
const Rules = (props: FieldsProps) => (
  <>
    <TemplateSources {...props} />
    <TemplateExecution {...props} />
    <TemplateLimits {...props} />
    <TemplateAftermath {...props} />
  </>
);

const ofSomeApps = [
  'Install requirements',
  'Apply the plan without confirmation',
  'Fail if the inventory cannot be read or no host is reached',
  'Retry only on hosts that failed or were unreachable',
];

test.each([
  { app: 'ansible', fields: [0, 2, 3] },
  { app: 'terraform', fields: [1] },
  { app: 'python', fields: [0] },
  { app: 'bash', fields: [] },
])('a template of $app has its own settings', async ({ app, fields }) => {
  const { field, labels } = await openPart(Rules, { app });
  await field('Time limit');
  const shown = labels().filter((label) => ofSomeApps.includes(label));
  expect(shown).toEqual(fields.map((index) => ofSomeApps[index]));
});

test('a vault is a key with a password, or a script', async () => {
  const { press, labels } = await openPart(TemplateSources);
  const shown = () => labels().filter((label) => /Vault name|Password|Script/.test(label));
  await press('Add vault with a script');
  await press('Add vault');
  expect(shown()).toEqual(['Script in the repository *', 'Vault name', 'Password *', 'Vault name']);
  await press('Remove vault 1');
  expect(shown()).toEqual(['Password *', 'Vault name']);
});
