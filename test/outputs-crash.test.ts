// Slow: a whole server is killed and started again.
// What a task hands on while its server is killed is neither lost nor doubled.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import { tasks } from '#shared/api/tasks.ts';
import { remoteCaller } from './helpers/remote-caller.ts';
import { folder, gitRepository, seedProject } from './helpers/seed.ts';
import { startServer } from './helpers/server.ts';
import { launch, logText, untilFinished } from './helpers/tasks.ts';
import { until } from './helpers/until.ts';

test('a task whose server is killed hands on what it wrote before and meanwhile, once', async () => {
  const env = { SIGNALBOX_LOCAL_REPOSITORIES: '/' };
  const gate = join(await folder(), 'open');
  const first = await startServer({ env });
  onTestFinished(first.stop);
  const owner = await remoteCaller(first.address, 'admin', first.password);
  const seed = await seedProject(owner, null);
  const script =
    'echo "secret a=canary-before" >> "$SIGNALBOX_OUTPUTS"; echo begun\n' +
    `until [ -e '${gate}' ]; do sleep 0.05; done\n` +
    'echo b=2 >> "$SIGNALBOX_OUTPUTS"\n';
  const body = {
    name: 'Scripts',
    git_url: await gitRepository({ 'run.sh': script }),
    git_branch: 'main',
    ssh_key_id: seed.keyId,
  };
  const params = { project_id: seed.projectId };
  const { id: code } = await owner.call(repositories.create, { params, body });
  const template = await seed.template({ app: 'bash', playbook: 'run.sh', repository_id: code });
  const task = await launch(owner, seed.projectId, { template_id: template.id });
  await until(async () => (await logText(owner, task)).includes('begun'));
  await first.end('SIGKILL');
  await writeFile(gate, '');

  const second = await startServer({ env, dataDir: first.dataDir });
  onTestFinished(second.stop);
  const again = await remoteCaller(second.address, 'admin', second.password);
  expect((await untilFinished(again, task)).status).toBe('success');
  const outputs = await again.call(tasks.outputs, { params: { ...params, task_id: task.id } });
  expect(outputs).toEqual([
    { name: 'a', value: null, is_secret: true },
    { name: 'b', value: '2', is_secret: false },
  ]);
}, 120_000);
