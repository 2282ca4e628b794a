// Execution environments for people: one is made, chosen in a template, and named on the page of a run, with a real podman.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExecutionEnvironment } from '#shared/api/execution-environments.ts';
import { addProject, addResources, choose } from '../helpers/console-project.ts';
import { expectAccessibleAtAllSizes, useOwnConsole } from '../helpers/console.ts';
import { startPodman } from '../helpers/containers.ts';

const image = 'localhost/small:1';
const podman = startPodman();
podman.makeImage(image, { programs: { bash: '#!/bin/sh\nexec sh "$@"\n' } });

const console = useOwnConsole({ PATH: podman.path, SIGNALBOX_CONTAINER_ENGINE: 'podman' });
const { call } = console;
let projectId = 0;
let templateId = 0;

beforeAll(async () => {
  projectId = await addProject(console, 'Containers');
  const sources = await addResources(console, projectId, { 'run.sh': 'echo in a container\n' });
  const template = { name: 'Script', app: 'bash', playbook: 'run.sh', ...sources };
  ({ id: templateId } = await call<{ id: number }>('POST', api('templates'), template));
});

afterAll(() => podman.close());

const api = (rest: string): string => `/api/project/${projectId}/${rest}`;
const url = (rest: string): string => `${console.server.address}/project/${projectId}/${rest}`;

async function enter(screen: string) {
  const page = await console.enter();
  await page.goto(url(screen));
  return page;
}

const listed = (): Promise<ExecutionEnvironment[]> => call('GET', api('execution_environments'));

test('a container is made, chosen in a template, and shown on the page of its run', async () => {
  const page = await enter('execution-environments');
  await page.getByRole('button', { name: 'New execution environment' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New execution environment' });
  await dialog.getByLabel('Name').fill('Small image');
  await choose(dialog, 'Kind', 'Container');
  await dialog.getByRole('textbox', { name: 'Image', exact: true }).fill(image);
  await choose(dialog, 'Pull the image', 'Never');
  await expectAccessibleAtAllSizes(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Execution environment Small image created').waitFor();
  const row = page.getByRole('row', { name: /^Small image/ });
  await row.getByText('Available').waitFor();
  expect(await listed()).toMatchObject([{ name: 'Small image', kind: 'container', pull: 'never' }]);

  await page.goto(url(`templates/${templateId}?edit=${templateId}`));
  await choose(page.locator('#sources'), 'Execution environment', 'Small image (Container)');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Template Script saved').waitFor();
  await page.getByRole('link', { name: 'Small image' }).waitFor();

  const { id } = await call<{ id: number }>('POST', api('tasks'), {
    template_id: templateId,
  });
  await page.goto(url(`tasks/${id}`));
  await page.getByText('Success').first().waitFor();
  await page.getByRole('link', { name: 'Small image' }).waitFor();
  await page.getByText(/^Versions/).click();
  const digest = podman.podman('image', 'inspect', '--format', '{{.Digest}}', image).trim();
  await page.getByText(`localhost/small@${digest}`).waitFor();
  await expectAccessibleAtAllSizes(page);
});

test('a pod is made where no runner starts pods, which the form, the list and its choices say', async () => {
  const page = await enter('execution-environments');
  await page.getByRole('button', { name: 'New execution environment' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New execution environment' });
  await dialog.getByLabel('Name').fill('In the cluster');
  await choose(dialog, 'Kind', 'Pod');
  await dialog.getByRole('textbox', { name: 'Image', exact: true }).fill(image);
  await dialog.getByLabel('Memory request').fill('256');
  await dialog.getByLabel('Tolerations').fill('gpu=true:NoSchedule');
  await expectAccessibleAtAllSizes(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Execution environment In the cluster created').waitFor();
  const row = page.getByRole('row', { name: /^In the cluster/ });
  await row.getByText('Cannot run').waitFor();
  expect(await listed()).toMatchObject([
    { name: 'In the cluster', kind: 'pod', memory_request_mib: 256 },
    { name: 'Small image' },
  ]);
  await row.getByRole('link', { name: 'In the cluster', exact: true }).click();
  await page
    .getByRole('note')
    .getByText(/^Pods cannot run/)
    .waitFor();
  await page.goto(url(`templates/${templateId}?edit=${templateId}`));
  const words = 'In the cluster (Pod) · Cannot run';
  await choose(page.locator('#sources'), 'Execution environment', words);
});

test('an execution environment that a template uses is not deleted', async () => {
  const page = await enter('execution-environments');
  await page.getByRole('button', { name: 'Delete Small image' }).click();
  await page.getByText(/^Cannot delete the execution environment/).waitFor();
});

test('one of the installation is made by an administrator, and read-only in projects', async () => {
  const page = await console.enter();
  await page.goto(`${console.server.address}/execution-environments`);
  await page.getByRole('button', { name: 'New execution environment' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New execution environment' });
  await dialog.getByLabel('Name').fill('For all projects');
  await choose(dialog, 'Kind', 'Server');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('row', { name: /^For all projects/ }).waitFor();
  await page.goto(url('execution-environments'));
  const row = page.getByRole('row', { name: /^For all projects/ });
  await row.getByText('Installation').waitFor();
  expect(await row.getByRole('button').count()).toBe(0);
});
