import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aliases, type Integration, integrations } from '#shared/api/integrations.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { templates } from '#shared/api/templates.ts';
import { workflows } from '#shared/api/workflows.ts';
import { renderAt, replyOf, revision } from '../../../../test/components/render.tsx';
import { aKey, aTemplate, aWorkflow } from '../../../../test/components/samples.ts';
import { IntegrationDialog } from './integration-dialog.tsx';

const stored: Integration = {
  id: 6,
  project_id: 1,
  name: 'Push',
  template_id: 1,
  workflow_id: null,
  auth_method: 'hmac',
  auth_header: 'X-Signature',
  auth_secret_id: 2,
  searchable: true,
  task_params: null,
};

const listed = [
  { ...aKey, id: 1, name: 'Deploy' },
  { ...aKey, id: 2, name: 'Shared secret', type: 'login_password' as const },
  { ...aKey, id: 3, name: 'Other secret', type: 'login_password' as const },
];

async function openIntegration(edit: number | 'new', change: Partial<Integration> = {}) {
  const view = await renderAt(<IntegrationDialog projectId={1} edit={edit} onClose={() => {}} />, {
    replies: [
      replyOf(templates.list, [aTemplate]),
      replyOf(workflows.list, [aWorkflow]),
      replyOf(inventories.list, []),
      replyOf(keys.list, listed),
      replyOf(integrations.one, { ...stored, ...change }),
      replyOf(integrations.create, stored),
      replyOf(integrations.update, undefined),
      replyOf(aliases.create, { id: 1, url: 'https://signalbox.example/api/integrations/abc' }),
    ],
  });
  await view.field('Target');
  return view;
}

test('the method decides how senders authenticate', async () => {
  const { choose, labels } = await openIntegration(6);
  const expected = {
    None: [],
    GitHub: ['Secret'],
    Token: ['Header', 'Secret'],
    HMAC: ['Header', 'Secret'],
    'Login and password': ['Secret'],
  };
  for (const [method, fields] of Object.entries(expected)) {
    await choose('Auth method', method);
    const shown = labels();
    const from = shown.indexOf('Auth method') + 1;
    expect([method, ...shown.slice(from, shown.indexOf('Message'))]).toEqual([method, ...fields]);
  }
});

test('the secret is one of the keys with a password', async () => {
  const { options } = await openIntegration(6);
  expect(await options('Secret')).toEqual(['Shared secret', 'Other secret']);
});

test('without authentication, the header and the secret of before are not sent', async () => {
  const { choose, press, sent } = await openIntegration(6);
  await choose('Auth method', 'None');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toEqual([
    {
      method: 'PUT',
      path: '/api/project/1/integrations/6',
      ifMatch: revision,
      body: {
        name: 'Push',
        template_id: 1,
        workflow_id: null,
        auth_method: '',
        auth_header: '',
        auth_secret_id: null,
        searchable: true,
        task_params: null,
      },
    },
  ]);
});

test('the only template is chosen for a new integration', async () => {
  const { field } = await openIntegration('new');
  await waitFor(async () => expect((await field('Task template to run')).value).toBe('Deploy'));
});

test('a new integration gets its first address', async () => {
  const { fill, press, sent } = await openIntegration('new');
  await fill('Name', 'Push');
  await press('Create');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/project/1/integrations',
    'POST /api/project/1/integrations/6/aliases',
  ]);
});

test('a stored integration without a target keeps none', async () => {
  const { field, press, sent } = await openIntegration(6, { template_id: null });
  expect((await field('Task template to run')).value).toBe('');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ template_id: null, workflow_id: null });
});

test('an integration of a workflow sends no launch options', async () => {
  const { choose, fill, labels, press, sent } = await openIntegration(6);
  await fill('Limit', 'web*');
  await choose('Target', 'Workflow');
  await choose('Workflow', 'Release');
  expect(labels()).not.toContain('Limit');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ template_id: null, workflow_id: 1, task_params: null });
});
