import { useForm } from '@mantine/form';
import type { ComponentType } from 'react';
import { expect, test } from 'vitest';
import { apps } from '#shared/api/apps.ts';
import { environments } from '#shared/api/environments.ts';
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
import { TemplateMore } from './template-more.tsx';
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
        onVariable={() => {}}
        onNew={() => {}}
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
  expect(labels().includes('Working folder')).toBe(hasFolder);
  expect(queryByRole('button', { name: 'Add vault' }) !== null).toBe(app === 'ansible');
});

test.each([
  {
    app: 'ansible',
    values: ['Limit', 'Tags', 'Skip tags'],
    flags: ['Limit', 'Tags', 'Skip tags', 'CLI args', 'Debug', 'Any variable'],
  },
  {
    app: 'terraform',
    values: [],
    flags: ['CLI args', 'Debug', 'Any variable', 'Apply without a confirmation'],
  },
  { app: 'bash', values: [], flags: ['CLI args', 'Debug', 'Any variable'] },
])('launches of $app have $values and open $flags', async ({ app, values, flags }) => {
  const { findByText, labels } = await openPart(TemplateLaunch, { app });
  await findByText('May be set at launch');
  const first = [...values, 'CLI args', 'List', 'JSON'];
  expect(labels()).toEqual([...first, 'Inventory', 'Branch', ...flags]);
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

test.each([
  { change: {}, isOpen: false },
  { change: { retries: 2 }, isOpen: true },
  { change: { runner_tags: ['gpu'] }, isOpen: true },
  { change: { fail_without_hosts: false }, isOpen: true },
  { change: { install_requirements: 'never' as const }, isOpen: true },
])('"More" is open if one of its settings is set ($change): $isOpen', async (given) => {
  const { findByRole } = await openPart(TemplateMore, given.change);
  const button = await findByRole('button', { name: /^More/ });
  expect(button.getAttribute('aria-expanded')).toBe(String(given.isOpen));
});

const ofSomeApps = [
  'Apply what is planned without a confirmation',
  'Fail if the inventory cannot be read or no host is reached',
  'Install requirements',
  'Retry only on hosts that failed or were unreachable',
];

test.each([
  { app: 'ansible', fields: [1, 2, 3] },
  { app: 'terraform', fields: [0] },
  { app: 'python', fields: [2] },
  { app: 'bash', fields: [] },
])('"More" of $app has its own settings', async ({ app, fields }) => {
  const { field, labels } = await openPart(TemplateMore, { app, timeout_s: 60 });
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
