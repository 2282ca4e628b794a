import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { testApp } from './helpers/app.ts';
import { drain, mostAtOnce } from './helpers/drain.ts';

const nodeLimit = 6;

test('waiting tasks drain in order, and no limit is ever passed', async () => {
  const seed = Date.now() % 100_000;
  const choices = fc.sample(fc.nat(19), { seed, numRuns: 120 });
  const app = await testApp({ config: { maxParallelTasks: nodeLimit } });
  const { tasks, isParallel, limits } = await drain(app, {
    projectLimits: [0, 1, 2, 5],
    templatesEach: 5,
    tasks: choices.length,
    choose: (task) => choices[task] ?? 0,
  });
  const told = `seed ${seed}`;
  expect([told, tasks.map(({ status }) => status)]).toEqual([told, choices.map(() => 'success')]);
  expect(mostAtOnce(tasks)).toBeLessThanOrEqual(nodeLimit);
  for (const [projectId, limit] of limits) {
    const most = mostAtOnce(tasks.filter((task) => task.project_id === projectId));
    expect([told, projectId, most <= (limit || nodeLimit)]).toEqual([told, projectId, true]);
  }
  for (const [templateId] of [...isParallel].filter(([, allow]) => !allow)) {
    const own = tasks.filter((task) => task.template_id === templateId);
    const starts = own.map(({ start }) => String(start));
    expect([told, templateId, mostAtOnce(own) <= 1]).toEqual([told, templateId, true]);
    expect([told, starts]).toEqual([told, starts.toSorted()]);
  }
}, 240_000);
