// Which runners are asked for the states that they keep.

import { expect, test } from 'vitest';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { addRunner } from '../../../../test/helpers/runners.ts';
import { updateRunnerEngine } from '../../runners/runners.store.ts';
import { listStatesOfProject } from './kept-states.ts';

test('a runner of Kubernetes keeps no states, so it is not asked for them', async () => {
  const { app, seed } = await appWithProject(null);
  const [machine, cluster] = [await addRunner(app, [], 1), await addRunner(app, [], 2)];
  await updateRunnerEngine(app.ctx.db, cluster, 'kubernetes 1.37.2');
  const asked: (number | null)[] = [];
  const ask = async (runnerId: number | null) => {
    asked.push(runnerId);
    return null;
  };
  const { silent } = await listStatesOfProject(app.ctx, ask, seed.projectId);
  expect(asked).toContain(machine);
  expect(asked).not.toContain(cluster);
  expect(silent).toHaveLength(asked.length);
});
