import { expect, test } from 'vitest';
import { workflowRuns } from '#shared/api/workflow-runs.ts';
import { seedProject } from '../../../../../test/helpers/seed.ts';
import { testApp } from '../../../../../test/helpers/app.ts';
import { flows } from '../../../../../test/helpers/workflows.ts';

test('has the states of the newest run of each workflow', async () => {
  const f = await flows(await testApp());
  const workflow = await f.add([await f.node('build'), await f.node('deploy')], 'build>deploy');
  await f.add([await f.node('never')]);
  const earlier = await f.launch(workflow);
  await f.end(earlier, 'build', 'error');
  const newest = await f.launch(workflow);
  await f.end(newest, 'build', 'success');
  const { runs } = await f.app.admin.call(workflowRuns.newest, { params: f.params });
  expect(runs).toEqual([
    {
      workflow_id: workflow.id,
      run_id: newest.id,
      nodes: [
        { key: 'build', name: 'build', state: 'success' },
        { key: 'deploy', name: 'deploy', state: 'active' },
      ],
      edges: [{ from: 'build', to: 'deploy' }],
    },
  ]);
  const other = await seedProject(f.app.admin, null);
  const params = { project_id: other.projectId };
  expect(await f.app.admin.call(workflowRuns.newest, { params })).toEqual({ runs: [] });
});
