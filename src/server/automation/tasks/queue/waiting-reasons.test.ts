// Only on PostgreSQL: on SQLite there is one place for tasks.

import { expect, test } from 'vitest';
import { testApp } from '../../../../../test/helpers/app.ts';
import { addRunner, round, startTagged, waitingFor } from '../../../../../test/helpers/runners.ts';
import { seedProject } from '../../../../../test/helpers/seed.ts';
import { noteRoom } from '../../../runners/runners.store.ts';
import { endTask } from '../move-task.ts';

test('only runners with the tags of a task count for why it waits', async () => {
  const app = await testApp();
  await addRunner(app, ['dmz'], 1);
  const seed = await seedProject(app.admin, null);
  const first = await startTagged(app, seed, ['dmz']);
  await round(app);
  const next = await startTagged(app, seed, ['dmz']);
  expect(await waitingFor(app, next)).toEqual(['server', null, 1]);
  const plain = await startTagged(app, seed, []);
  expect(await waitingFor(app, plain)).toEqual(['runner', [], null]);
  await addRunner(app, [], 1);
  expect(await waitingFor(app, plain)).toBeNull();
  await endTask(app.ctx, { id: first.id, project_id: seed.projectId }, 'error');
  expect(await waitingFor(app, next)).toBeNull();
});

test('a runner whose disk has too little room gets no task, and the task says so', async () => {
  const app = await testApp();
  const id = await addRunner(app, ['dmz'], 1);
  const seed = await seedProject(app.admin, null);
  expect(await noteRoom(app.ctx.db, id, false)).toBe(true);
  expect(await noteRoom(app.ctx.db, id, false)).toBe(false);
  const task = await startTagged(app, seed, ['dmz']);
  await round(app);
  expect(await waitingFor(app, task)).toEqual(['disk', null, null]);
  expect(await noteRoom(app.ctx.db, id, true)).toBe(true);
  expect(await waitingFor(app, task)).toBeNull();
});
