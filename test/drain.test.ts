// Slow: a queue of a hundred and fifty real tasks is worked off, which is the subject.

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { testApp } from './helpers/app.ts';
import { drain, mostAtOnce } from './helpers/drain.ts';

const serverLimit = 8;
const projectLimits = [0, 1, 2, 3, 5];
const templatesEach = 6;
const tasksAll = 150;

/** Printed where something fails; given, the same tasks wait in the same order again. */
const seed = Number(process.env['SIGNALBOX_DRAIN_SEED'] ?? Date.now() % 100_000);

test('150 waiting tasks of 30 templates drain in order, and no limit is ever passed', async () => {
  const templates = projectLimits.length * templatesEach;
  const choices = fc.sample(fc.nat(templates - 1), { seed, numRuns: tasksAll });
  const app = await testApp({ config: { maxParallelTasks: serverLimit } });
  const drained = await drain(app, {
    projectLimits,
    templatesEach,
    tasks: choices.length,
    choose: (task) => choices[task] ?? 0,
  });
  const { tasks, moments, isParallel, limits } = drained;
  const told = `SIGNALBOX_DRAIN_SEED=${seed}`;
  expect([told, tasks.map(({ status }) => status)]).toEqual([told, choices.map(() => 'success')]);
  // Each program began once and ended once.
  const begun = moments.filter(({ step }) => step === 1).map(({ taskId }) => taskId);
  expect([told, begun.toSorted((a, b) => a - b)]).toEqual([told, tasks.map(({ id }) => id)]);
  expect([told, moments.length]).toEqual([told, 2 * tasks.length]);
  const most = mostAtOnce(tasks, drained);
  expect([told, most > 1, most <= serverLimit]).toEqual([told, true, true]);
  for (const [projectId, limit] of limits) {
    const own = tasks.filter((task) => task.project_id === projectId);
    const atOnce = mostAtOnce(own, drained);
    expect([told, limit, atOnce <= (limit || serverLimit)]).toEqual([told, limit, true]);
    // Where only one runs at once, nothing is in the way of the oldest.
    const starts = own.map(({ start }) => String(start));
    const inOrder = limit === 1 ? starts.toSorted() : starts;
    expect([told, limit, starts]).toEqual([told, limit, inOrder]);
  }
  for (const [templateId] of [...isParallel].filter(([, allow]) => !allow)) {
    const own = tasks.filter((task) => task.template_id === templateId);
    const starts = own.map(({ start }) => String(start));
    expect([told, templateId, mostAtOnce(own, drained) <= 1]).toEqual([told, templateId, true]);
    expect([told, starts]).toEqual([told, starts.toSorted()]);
  }
}, 900_000);
