import { expect, test } from 'vitest';
import { tasks } from '#shared/api/tasks.ts';
import { testApp } from '../../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../../test/helpers/app-with-project.ts';
import { newCanary } from '../../../../../test/helpers/canaries.ts';
import { seedProject } from '../../../../../test/helpers/seed.ts';
import { readStored } from '../../../../../test/helpers/stored.ts';
import { claimNext, launch, logText, untilFinished } from '../../../../../test/helpers/tasks.ts';
import { sealedColumns } from '../../../vault/sealed-columns.ts';
import { recordOutputs } from './record-outputs.ts';

test('people read what a task hands on; of a secret they only see that it is there', async () => {
  const app = await testApp({ runner: true });
  const secret = newCanary();
  const script =
    'printf "url=https://example.com\\nlist<<END\\n1\\n2\\nEND\\n" > "$SIGNALBOX_OUTPUTS"\n' +
    `printf '%s\\n' 'secret token=${secret}' >> "$SIGNALBOX_OUTPUTS"\n`;
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const params = { project_id: seed.projectId, task_id: task.id };
  const see = () => app.admin.call(tasks.outputs, { params });
  expect((await untilFinished(app.admin, task)).status).toBe('success');
  const outputs = await see();
  expect(outputs).toEqual([
    { name: 'url', value: 'https://example.com', is_secret: false },
    { name: 'list', value: '1\n2', is_secret: false },
    { name: 'token', value: null, is_secret: true },
  ]);
  expect(await logText(app.admin, task)).not.toContain(secret);

  const { db, vault, config } = app.ctx;
  const stored = await readStored(config);
  expect(stored.filter(({ bytes }) => bytes.includes(secret)).map(({ name }) => name)).toEqual([]);
  const row = await db.selectFrom('task_outputs').selectAll().executeTakeFirstOrThrow();
  const opened = vault.open(row.secrets ?? '', sealedColumns.outputs.at(row));
  expect(JSON.parse(opened)).toEqual([['token', JSON.stringify(secret)]]);

  await app.admin.call(tasks.remove, { params });
  expect(await db.selectFrom('task_outputs').selectAll().execute()).toEqual([]);
  await expect(see()).rejects.toThrow(/404|task/);
});

test('a task without outputs has an empty list, and another project none of them', async () => {
  const { app, seed } = await appWithProject(null);
  const other = await seedProject(app.admin, null);
  const { id } = await seed.template();
  const { id: task_id } = await launch(app.admin, seed.projectId, { template_id: id });
  const outputsIn = (project_id: number) =>
    app.admin.call(tasks.outputs, { params: { project_id, task_id } });
  expect(await outputsIn(seed.projectId)).toEqual([]);
  const task = await claimNext(app.ctx);
  if (!task) throw new Error('The task was not taken.');
  await recordOutputs(app.ctx, task, [{ name: 'a', value: 1, secret: null }]);
  expect(await outputsIn(seed.projectId)).toHaveLength(1);
  await expect(outputsIn(other.projectId)).rejects.toThrow(/404|task/);
});
