// Also on PostgreSQL: it compares the tables of both.
// What the constraints of the tables refuse.

import { expect, test } from 'vitest';
import { testApp } from './helpers/app.ts';

test('keeps what refers to something of another project out', async () => {
  const { ctx } = await testApp();
  const project = {
    name: 'P',
    created: ctx.clock.now().toISOString(),
    alert: 0,
    max_parallel_tasks: 0,
    type: '',
  } as const;
  const ids: number[] = [];
  for (let count = 0; count < 2; count += 1) {
    const row = await ctx.db
      .insertInto('projects')
      .values(project)
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(row.id);
  }
  const [one = 0, other = 0] = ids;
  const key = await ctx.db
    .insertInto('keys')
    .values({ project_id: one, name: 'K', type: 'none' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const insert = (projectId: number) =>
    ctx.db
      .insertInto('repositories')
      .values({
        project_id: projectId,
        name: 'R',
        git_url: '/r',
        git_branch: '',
        ssh_key_id: key.id,
      })
      .execute();
  await expect(insert(other)).rejects.toThrow(/foreign key/i);
  await insert(one);
  // Deleting a project deletes everything in it.
  await ctx.db.deleteFrom('projects').where('id', '=', one).execute();
  expect(await ctx.db.selectFrom('repositories').selectAll().execute()).toEqual([]);
});
