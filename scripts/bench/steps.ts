// How soon the next step of a workflow begins after the step before it, beside a launch by hand.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowRun } from '#shared/api/workflow-runs.ts';
import type { Workflow } from '#shared/api/workflows.ts';
import { addProject, install, launch, noted, now, type Project, untilEnd } from './installation.ts';
import { noteTime } from './launches.ts';
import { median, type Row } from './rows.ts';
import type { ApiCall } from '../../test/helpers/api-client.ts';

const rounds = 20;
const longestMs = 60_000;
/** The milliseconds that a step may take longer than a launch by hand. */
const allowed = 20;

export async function measureSteps(): Promise<Row[]> {
  const installation = await install();
  const { call, folder } = installation;
  const note = join(folder, 'note');
  try {
    const project = await addProject(installation, { 'note.sh': noteTime(note) });
    const workflow = await addWorkflow(call, project);
    const ours: number[] = [];
    const theirs: number[] = [];
    // The first round makes the mirror of the repository.
    for (let round = 0; round <= rounds; round += 1) {
      await writeFile(note, '');
      const asked = now();
      await untilEnd(call, project, (await launch(call, project, 'note.sh')).id);
      const launched = (await noted(note)) - asked;
      const run = await runToEnd(call, project, workflow);
      const first = run.nodes.find(({ key }) => key === 'a');
      if (round === 0) continue;
      theirs.push(launched);
      ours.push((await noted(note)) - Date.parse(first?.end ?? ''));
    }
    const baseline = { name: 'a launch by hand', values: theirs };
    const target = { atMost: median(theirs) + allowed };
    const what = 'The next step of a workflow, from the end of the step before it';
    return [{ what, unit: 'ms', ours, baseline, target }];
  } finally {
    await installation.end();
  }
}

async function addWorkflow(call: ApiCall, { path, templates }: Project): Promise<number> {
  const node = (name: string) => ({
    type: 'template',
    key: name,
    name,
    template_id: templates['note.sh'],
  });
  const graph = { nodes: [node('a'), node('b')], edges: [{ from: 'a', to: 'b' }] };
  return (await call<Workflow>('POST', `${path}/workflows`, { name: 'Two', graph })).id;
}

async function runToEnd(call: ApiCall, { path }: Project, workflow: number): Promise<WorkflowRun> {
  const { id } = await call<WorkflowRun>('POST', `${path}/workflows/${workflow}/runs`, {});
  const limit = performance.now() + longestMs;
  while (performance.now() < limit) {
    const run = await call<WorkflowRun>('GET', `${path}/workflow_runs/${id}`);
    if (run.end !== null) return run;
    await sleep(10);
  }
  throw new Error(`Run ${id} of the workflow did not end.`);
}
