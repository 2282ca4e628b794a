import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  executionEnvironments,
  installationEnvironments,
  newExecutionEnvironment,
  type ShownExecutionEnvironment,
} from '#shared/api/execution-environments.ts';
import { keys } from '#shared/api/keys.ts';
import { refusalOf, renderAt, replyOf, revision } from '../../../../test/components/render.tsx';
import { aKey, anExecutionEnvironment } from '../../../../test/components/samples.ts';
import { ExecutionEnvironmentDialog } from './execution-environment-dialog.tsx';
import { InstallationEnvironmentDialog } from './installation-environment-dialog.tsx';

const login = { ...aKey, id: 2, name: 'Registry', type: 'login_password' as const };

interface Setup {
  edit?: number | 'new';
  change?: Partial<ShownExecutionEnvironment>;
  listed?: ShownExecutionEnvironment[];
}

async function openDialog({ edit = 'new', change, listed = [] }: Setup = {}) {
  const stored = { ...anExecutionEnvironment, ...change };
  const view = await renderAt(
    <ExecutionEnvironmentDialog projectId={1} edit={edit} onClose={() => {}} />,
    {
      replies: [
        replyOf(executionEnvironments.list, listed),
        replyOf(executionEnvironments.one, stored),
        replyOf(executionEnvironments.create, stored),
        replyOf(executionEnvironments.update, undefined),
        replyOf(keys.list, [aKey, login]),
      ],
    },
  );
  await view.field('Name');
  return view;
}

test.each([
  { kind: 'Server', fields: [] },
  {
    kind: 'Tools',
    fields: ['Programs from', 'Packages *', 'Python', 'Package index'],
  },
  {
    kind: 'Container',
    fields: [
      'Image *',
      'Pull the image',
      'Login of the registry',
      'Network',
      'User',
      'Memory limit',
      'CPU limit (100% is one core)',
      'Process limit',
    ],
  },
  {
    kind: 'Pod',
    fields: [
      'Image *',
      'Pull the image',
      'Pull secrets',
      'Memory request',
      'Memory limit',
      'CPU request (100% is one core)',
      'CPU limit (100% is one core)',
      'Node labels',
      'Tolerations',
      'Pod labels',
      'User',
      'Service account',
    ],
  },
])('the kind $kind asks for $fields only', async ({ kind, fields }) => {
  const { choose, labels } = await openDialog();
  await choose('Kind', kind);
  expect(labels()).toEqual(['Name *', 'Description', 'Kind *', ...fields]);
});

test('packages are sent one per line, without the fields of other kinds', async () => {
  const { choose, fill, press, sent } = await openDialog();
  await fill('Name', 'Newest Ansible');
  await choose('Kind', 'Container');
  await fill('Image', 'localhost/forgotten:1');
  await choose('Kind', 'Tools');
  await fill('Packages', 'ansible-core==2.19.*\n\n  netaddr ');
  await fill('Python', '3.12');
  await press('Create');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual(
    newExecutionEnvironment.parse({
      name: 'Newest Ansible',
      kind: 'tools',
      packages: ['ansible-core==2.19.*', 'netaddr'],
      python: '3.12',
    }),
  );
});

test('a folder replaces the packages', async () => {
  const { choose, fill, press, sent } = await openDialog({
    edit: 1,
    change: { kind: 'tools', image: '', packages: ['netaddr'], python: '3.12' },
  });
  await choose('Programs from', 'A folder of the runner');
  await fill('Folder', '/opt/ansible-2.19');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    method: 'PUT',
    ifMatch: revision,
    body: { folder: '/opt/ansible-2.19', packages: [], python: '' },
  });
});

test('a container has mounts, limits and the login of its registry', async () => {
  const { choose, fill, press, tick, options, sent } = await openDialog({ edit: 1 });
  // A registry accepts no SSH key.
  expect(await options('Login of the registry')).toEqual(['Registry']);
  await choose('Login of the registry', 'Registry');
  await press('Add mount');
  await fill('Mount 1: path on the runner', '/srv/cache');
  await fill('Mount 1: path in the container', '/cache');
  await tick('Read-only');
  await fill('Memory limit', '512');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({
    image: 'quay.io/example/tools:1.4',
    registry_key_id: login.id,
    mounts: [{ source: '/srv/cache', target: '/cache', read_only: false }],
    memory_limit_mib: 512,
  });
});

test('a pod has requests, labels and the names of its cluster, and nothing of a container', async () => {
  const { choose, fill, press, sent } = await openDialog({
    edit: 1,
    change: {
      registry_key_id: login.id,
      network: 'host',
      process_limit: 100,
      memory_limit_mib: 512,
    },
  });
  await choose('Kind', 'Pod');
  await fill('Pull secrets', 'registry-login\n');
  await fill('Memory request', '256');
  await fill('Node labels', 'disk=ssd\nkubernetes.io/arch=arm64');
  await fill('Tolerations', 'gpu=true:NoSchedule');
  await fill('Pod labels', 'team=network');
  await fill('Service account', 'deployer');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual(
    newExecutionEnvironment.parse({
      name: anExecutionEnvironment.name,
      kind: 'pod',
      image: anExecutionEnvironment.image,
      pull_secrets: ['registry-login'],
      memory_request_mib: 256,
      memory_limit_mib: 512,
      node_labels: ['disk=ssd', 'kubernetes.io/arch=arm64'],
      tolerations: ['gpu=true:NoSchedule'],
      pod_labels: ['team=network'],
      service_account: 'deployer',
    }),
  );
});

test('a wrong line of a list and a request above the limit are said at their inputs', async () => {
  const { fill, press, field, findByText, sent } = await openDialog({
    edit: 1,
    change: { kind: 'pod', cpu_limit_percent: 100 },
  });
  await fill('Pod labels', 'team=network\nkubernetes.io/name=x');
  await fill('CPU request (100% is one core)', '200');
  await press('Save');
  const label = await findByText(/^Labels of kubernetes.io/);
  expect((await field('Pod labels')).getAttribute('aria-describedby')).toContain(label.id);
  expect(await findByText(/^This is more than the limit/)).toBeTruthy();
  expect(sent).toEqual([]);
});

test('what is missing or wrong is said at its input', async () => {
  const { answer, choose, fill, press, field, findByText, sent } = await openDialog();
  await fill('Name', 'Wrong');
  await press('Create');
  expect(await findByText('Enter packages, or the folder that has the programs')).toBeTruthy();
  await choose('Kind', 'Container');
  await press('Create');
  expect(await findByText('Image is required')).toBeTruthy();
  expect(sent).toEqual([]);
  await fill('Image', 'localhost/tools:1');
  answer(
    refusalOf(executionEnvironments.create, {
      status: 400,
      code: 'request.invalid',
      fields: [{ path: 'network', code: 'execution_environment.network', params: {}, message: '' }],
    }),
  );
  await press('Create');
  const error = await findByText(/^Enter none, host/);
  expect((await field('Network')).getAttribute('aria-describedby')).toContain(error.id);
});

test.each([
  ['container', null, []],
  ['container', 'no_container_engine', ['Containers']],
  ['pod', 'no_kubernetes_runner', ['Pods']],
] as const)('a %s says whether runners can start it: %s', async (kind, unavailable, said) => {
  const others = (['container', 'pod'] as const).filter((other) => other !== kind);
  const listed = [kind, ...others].map((one, index) => ({
    ...anExecutionEnvironment,
    id: index + 1,
    kind: one,
    unavailable: one === kind ? unavailable : null,
  }));
  const { field, queryAllByRole } = await openDialog({ edit: 1, change: { kind }, listed });
  await field('Image');
  const notes = () => queryAllByRole('note').map((note) => note.textContent?.split(' ')[0]);
  await waitFor(() => expect(notes()).toEqual(said));
});

test('an execution environment of the installation has no key', async () => {
  const own = { ...anExecutionEnvironment, project_id: null };
  const view = await renderAt(<InstallationEnvironmentDialog edit={1} onClose={() => {}} />, {
    replies: [
      replyOf(installationEnvironments.list, [own]),
      replyOf(installationEnvironments.one, own),
      replyOf(installationEnvironments.update, undefined),
      replyOf(executionEnvironments.list, [own]),
    ],
  });
  await view.field('Image');
  expect(view.labels()).not.toContain('Login of the registry');
  await view.fill('Name', 'For all');
  await view.press('Save');
  await waitFor(() => expect(view.sent).toHaveLength(1));
  expect(view.sent[0]).toMatchObject({
    path: '/api/execution_environments/1',
    body: { name: 'For all', image: own.image },
  });
});
