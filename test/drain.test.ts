// Slow: a queue of a hundred and fifty real tasks is worked off, which is the subject.

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { testApp } from './helpers/app.ts';
import { drain, mostAtOnce } from './helpers/drain.ts';
import { runSeed } from './helpers/random.ts';

const serverLimit = 8;
const projectLimits = [0, 1, 2, 3, 5];
const templatesEach = 6;
const tasksAll = 150;

test('150 waiting tasks of 30 templates drain in order, and no limit is ever passed', async () => {
  const templates = projectLimits.length * templatesEach;
  const choices = fc.sample(fc.nat(templates - 1), { seed: runSeed, numRuns: tasksAll });
  const app = await testApp({ config: { maxParallelTasks: serverLimit } });
  const drained = await drain(app, {
    projectLimits,
    templatesEach,
    tasks: choices.length,
    choose: (task) => choices[task] ?? 0,
  });
  const { tasks, moments, isParallel, limits } = drained;
  expect(tasks.map(({ status }) => status)).toEqual(choices.map(() => 'success'));
  // Each program began once and ended once.
  const begun = moments.filter(({ step }) => step === 1).map(({ taskId }) => taskId);
  expect(begun.toSorted((a, b) => a - b)).toEqual(tasks.map(({ id }) => id));
  expect(moments).toHaveLength(2 * tasks.length);
  const most = mostAtOnce(tasks, drained);
  expect([most > 1, most <= serverLimit]).toEqual([true, true]);
  for (const [projectId, limit] of limits) {
    const own = tasks.filter((task) => task.project_id === projectId);
    const atOnce = mostAtOnce(own, drained);
    expect([limit, atOnce <= (limit || serverLimit)]).toEqual([limit, true]);
    // Where only one task may run at once, tasks start in the order of their ids.
    const starts = own.map(({ start }) => String(start));
    const inOrder = limit === 1 ? starts.toSorted() : starts;
    expect([limit, starts]).toEqual([limit, inOrder]);
  }
  for (const [templateId] of [...isParallel].filter(([, allow]) => !allow)) {
    const own = tasks.filter((task) => task.template_id === templateId);
    const starts = own.map(({ start }) => String(start));
    expect([templateId, mostAtOnce(own, drained) <= 1]).toEqual([templateId, true]);
    expect(starts).toEqual(starts.toSorted());
  }
}, 900_000);
