// Also on PostgreSQL: its rows are locked, not its file.
// People sign in, read keys and launch tasks that need them, while the master key is replaced.

import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import type { Task } from '#shared/api/tasks.ts';
import { users } from '#shared/api/users.ts';
import { password, testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { runCommand, type Ended } from '../../../../test/helpers/command.ts';
import { addManyKeys } from '../../../../test/helpers/sealed.ts';
import { stepMs, withSecondFactor } from '../../../../test/helpers/second-factor.ts';
import { folder, seedProject } from '../../../../test/helpers/seed.ts';
import { launch, logText, untilFinished } from '../../../../test/helpers/tasks.ts';
import { until } from '../../../../test/helpers/until.ts';

const script = 'ssh-add -l; echo "secrets of ${#API_KEY} and ${#token}"\n';

/** A project whose tasks need a key, a secret of the environment and a secret answer. */
async function fill(app: TestApp) {
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const params = { project_id: seed.projectId };
  const file = join(await folder(), 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'busy', '-f', file]);
  const ssh = { login: '', private_key: await readFile(file, 'utf8') };
  const key = await app.admin.call(keys.create, { params, body: { name: 'S', type: 'ssh', ssh } });
  const inventory = { name: 'I', type: 'static' as const, inventory: 'one\n', ssh_key_id: key.id };
  const { id: inventory_id } = await app.admin.call(inventories.create, {
    params,
    body: inventory,
  });
  const secrets = [
    { operation: 'create' as const, type: 'env' as const, name: 'API_KEY', secret: 'twelve chars' },
  ];
  const environment = await app.admin.call(environments.create, {
    params,
    body: { name: 'E', secrets },
  });
  const template = await seed.template({
    app: 'bash',
    inventory_id,
    environment_id: environment.id,
    survey_vars: [{ name: 'token', title: 'Token', type: 'secret' }],
    allow_parallel_tasks: true,
  });
  // Many keys, so that the rotation takes a while.
  await addManyKeys(app.ctx, seed.projectId);
  return { seed, params, template, keyId: key.id };
}

test('gate 11: keys are read, tasks with keys run and people sign in while keys rotate', async () => {
  const app = await testApp({ runner: true });
  const { seed, params, template, keyId } = await fill(app);
  const ada = await app.user('ada');
  const authenticator = await withSecondFactor(app, ada);
  // The rotation is a process of its own, as it is for administrators.
  const { dataDir, databaseUrl } = app.parts.config;
  const settings = {
    SIGNALBOX_DATA_DIR: dataDir,
    ...(databaseUrl !== null && { SIGNALBOX_DATABASE_URL: databaseUrl }),
  };
  let ended: Ended | null = null;
  void runCommand(['keys', 'rotate'], settings).then((end) => (ended = end));
  const tasks: Task[] = [];
  let signIns = 0;
  let reads = 0;
  await until(async () => {
    const one = await app.admin.call(keys.one, { params: { ...params, key_id: keyId } });
    expect(one.empty).toBe(false);
    reads += 1;
    // An address may sign in only so often in a minute; some tasks are launched meanwhile.
    if (reads % 4 === 0 && signIns < 20) {
      const again = await app.signIn('ada', password, authenticator.code());
      await again.call(users.current, {});
      app.clock.advance(stepMs);
      signIns += 1;
    }
    if (reads % 12 === 0 && tasks.length < 6) {
      const body = { template_id: template.id, secret: '{"token": "canary"}' };
      tasks.push(await launch(app.admin, seed.projectId, body));
    }
    return ended !== null && reads > 12;
  }, 90);
  expect(ended).toEqual({ code: 0, out: expect.stringMatching(/3\d\d/), error: '' });
  for (const count of [tasks.length, signIns]) expect(count).toBeGreaterThan(0);
  // Sealed before the old key was removed, opened at the start of the task or after it.
  tasks.push(
    await launch(app.admin, seed.projectId, {
      template_id: template.id,
      secret: '{"token": "canary"}',
    }),
  );
  for (const task of tasks) {
    const { status } = await untilFinished(app.admin, task, 60);
    const log = await logText(app.admin, task);
    expect([status, log]).toEqual(['success', log]);
    expect(log).toContain('(ED25519)');
    expect(log).toContain('secrets of 12 and 6');
  }
  await app.signIn('ada', password, authenticator.code());
}, 120_000);
