// Only on PostgreSQL: several servers need a database that they can share.
// Slow: the database is killed under whole servers.
// The database itself is killed while tasks run, and comes back.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { startCluster, scriptProject } from '../helpers/cluster.ts';
import { startCluster as startPostgres } from '../helpers/postgres-cluster.ts';
import { folder } from '../helpers/seed.ts';
import { launch, logText, readTask, untilFinished } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';

const most = 150;

test('PostgreSQL is killed: tasks go on, no line is lost or doubled, and new ones start', async () => {
  const postgres = await startPostgres();
  const cluster = await startCluster({ url: postgres.url, drop: postgres.stop });
  const web = await cluster.start('web');
  await cluster.start('runner');
  const owner = await cluster.at(web);
  const gate = join(await folder(), 'gate');
  const script = `for i in $(seq 1 ${most}); do echo "line $i"; sleep 0.02; done
until [ -e ${gate} ]; do sleep 0.05; done
echo the end
`;
  const seed = await scriptProject(owner, script);
  const { id } = await seed.template({ allow_parallel_tasks: true });
  const start = () => launch(owner, seed.projectId, { template_id: id });
  // Null means that the server cannot answer now.
  const findTask = (task: Task) => readTask(owner, task).catch(() => null);
  const first = await start();
  const second = await start();
  await until(async () => (await logText(owner, first)).includes('line 10'));
  postgres.kill();
  await until(async () => (await findTask(first)) === null);
  await postgres.restart();
  await writeFile(gate, '');
  for (const task of [first, second]) {
    const { status } = await until(async () => {
      const now = await findTask(task);
      return now && isFinished(now.status) && now;
    }, 60);
    const lines = (await logText(owner, task))
      .split('\n')
      .filter((line) => line.startsWith('line '));
    expect([status, lines]).toEqual([
      'success',
      Array.from({ length: most }, (_, index) => `line ${index + 1}`),
    ]);
  }
  expect((await untilFinished(owner, await start(), 60)).status).toBe('success');
}, 180_000);
