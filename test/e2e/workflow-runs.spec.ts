// The runs of all workflows of a project, beside the history of its tasks.

import { expect, test } from 'vitest';
import type { WorkflowRun } from '#shared/api/workflow-runs.ts';
import type { Workflow } from '#shared/api/workflows.ts';
import { expectAccessibleAtAllSizes, useConsole } from '../helpers/console.ts';
import { addHeld, addProgram } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const demo = useDemo(console);

test('runs of several workflows stand in one list, which is filtered in its address', async () => {
  const templateId = await addProgram(demo, demo.only('Step'), 'true');
  const step = { type: 'template', key: 'step', name: 'Step', template_id: templateId };
  const ask = { type: 'approval', key: 'ask', name: 'Go on?', question: '', roles: ['owner'] };
  const launch = async (name: string, nodes: object[]): Promise<WorkflowRun> => {
    const made = await demo.call<Workflow>('POST', demo.api('workflows'), {
      name,
      graph: { nodes },
    });
    return demo.call('POST', demo.api(`workflows/${made.id}/runs`), {});
  };
  const [quick, asking] = [demo.only('Quick'), demo.only('Asking')];
  await launch(quick, [step]);
  await launch(asking, [ask]);
  const page = await demo.enter('history');
  await page.getByRole('link', { name: 'Workflow runs', exact: true }).click();
  const table = page.getByRole('table', { name: 'Workflow runs' });
  const row = (name: string) => table.getByRole('row').filter({ hasText: name });
  await row(asking).getByText('Waiting for approval').waitFor();
  await row(quick).getByText('Success').waitFor();
  await expectAccessibleAtAllSizes(page);
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Not finished' }).click();
  await row(quick).waitFor({ state: 'detached' });
  expect(await row(asking).count()).toBe(1);
  expect(new URL(page.url()).searchParams.get('status')).toBe('unfinished');
  await page.reload();
  await row(asking).getByRole('link', { name: asking }).click();
  await page.getByRole('heading', { name: asking }).waitFor();
});

test('a task of a run that waits for a confirmation is confirmed on the page of the run', async () => {
  const step = { type: 'template', key: 'step', name: 'Step', template_id: await addHeld(demo) };
  const { id } = await demo.call<Workflow>('POST', demo.api('workflows'), {
    name: demo.only('Held'),
    graph: { nodes: [step] },
  });
  const run = await demo.call<WorkflowRun>('POST', demo.api(`workflows/${id}/runs`), {});
  const page = await demo.enter(`workflow_runs/${run.id}`);
  const card = page.getByRole('region', { name: /^#\d+ Held$/ });
  await card.getByText('Waits until').waitFor();
  await expectAccessibleAtAllSizes(page);
  await card.getByRole('button', { name: /^Confirm #\d+ Held$/ }).click();
  await card.waitFor({ state: 'detached' });
  await page.getByText('Success').first().waitFor();
});
