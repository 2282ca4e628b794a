import { expect, test } from 'vitest';
import { backups } from '#shared/api/backups.ts';
import {
  executionEnvironments,
  installationEnvironments,
} from '#shared/api/execution-environments.ts';
import { projects } from '#shared/api/projects.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp } from '../../../test/helpers/app.ts';
import { seedProject } from '../../../test/helpers/seed.ts';

const image = { kind: 'container', image: 'registry.example.com/tools:1.4' } as const;

test('a restore finds those of the project and of the installation by their names', async () => {
  const app = await testApp();
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  // Both have the same name.
  const body = { name: 'Ansible', ...image };
  const own = await app.admin.call(executionEnvironments.create, { params, body });
  const shared = await app.admin.call(installationEnvironments.create, { body });
  await seed.template({ name: 'With own', execution_environment_id: own.id });
  await seed.template({ name: 'With shared', execution_environment_id: shared.id });
  const project = await app.admin.call(projects.one, { params });
  const change = { ...project, execution_environment_id: own.id };
  await app.admin.call(projects.update, { params, body: change });
  const document = await app.admin.call(backups.read, { params });
  expect(document.execution_environments.map(({ name }) => name)).toEqual(['Ansible']);

  const restored = await app.admin.call(backups.restore, { body: document });
  const there = { params: { project_id: restored.id } };
  const [made] = (await app.admin.call(executionEnvironments.list, there)).filter(
    ({ project_id: owner }) => owner === restored.id,
  );
  expect(restored.execution_environment_id).toBe(made?.id);
  expect((await app.admin.call(projects.one, there)).execution_environment_id).toBe(made?.id);
  const list = await app.admin.call(templates.list, there);
  expect(list.map((one) => [one.name, one.execution_environment_id])).toEqual([
    ['With own', made?.id],
    ['With shared', shared.id],
  ]);
});

test('a restore says which one of the installation is missing', async () => {
  const app = await testApp();
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const body = { name: 'Ansible', ...image };
  const shared = await app.admin.call(installationEnvironments.create, { body });
  await seed.template({ name: 'With shared', execution_environment_id: shared.id });
  const document = await app.admin.call(backups.read, { params });
  await app.admin.call(projects.remove, { params });
  const one = { params: { installation_environment_id: shared.id } };
  await app.admin.call(installationEnvironments.remove, one);
  const meta = { ...document.meta, installation_environment: 'Other' };
  const answer = await app.admin.ask(backups.restore, { body: { ...document, meta } as never });
  expect([answer.status, answer.body]).toMatchObject([
    400,
    {
      fields: [
        { path: 'meta.installation_environment', params: { name: 'Other' } },
        {
          path: 'templates.0.installation_environment',
          code: 'restore.installation_environment',
          params: { name: 'Ansible' },
        },
      ],
    },
  ]);
});

test('a backup keeps what a pod needs, and may be of before pods', async () => {
  const app = await testApp();
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const ofPod = {
    memory_request_mib: 256,
    cpu_request_percent: 50,
    node_labels: ['disk=ssd'],
    tolerations: ['gpu=true:NoSchedule'],
    service_account: 'deployer',
    pod_labels: ['team=web'],
    pull_secrets: ['registry'],
  };
  const body = { name: 'Pod', ...image, kind: 'pod' as const, ...ofPod };
  await app.admin.call(executionEnvironments.create, { params, body });
  await app.admin.call(executionEnvironments.create, { params, body: { name: 'Image', ...image } });
  const document = await app.admin.call(backups.read, { params });
  const restore = async (change: object) => {
    const sent = { ...document, ...change } as never;
    const { id } = await app.admin.call(backups.restore, { body: sent });
    const query = { sort: 'kind' } as const;
    return app.admin.call(executionEnvironments.list, { params: { project_id: id }, query });
  };
  const [container, pod] = await restore({});
  expect(pod).toMatchObject(ofPod);
  const names = Object.keys(ofPod);
  const older = document.execution_environments
    .filter(({ kind }) => kind === 'container')
    .map((one) =>
      Object.fromEntries(Object.entries(one).filter(([name]) => !names.includes(name))),
    );
  const [restored] = await restore({ execution_environments: older });
  const { id: _id, project_id: _project, ...same } = container ?? {};
  expect(restored).toMatchObject(same);
});
