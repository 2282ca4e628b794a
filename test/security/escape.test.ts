// Only on SQLite: hostile tasks meet the runner and its users, which know no database.
// Slow: hostile programs run as users of the machine.
// A hostile task, run by the real Ansible and by bash as a user of its own, tries to reach the
// server, its data and other runs. The test tells it where all of these are.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, lstat, readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import type { RunUser } from '../../src/node/process/run-users.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { hostileScript, tries } from '../helpers/escapes.ts';
import { realPrograms } from '../helpers/programs.ts';
import { commitFiles, seedProject, type Seed } from '../helpers/seed.ts';
import { launch, logText, untilStatus } from '../helpers/tasks.ts';
import { makeRunUsers } from '../helpers/unix-user.ts';
import { until } from '../helpers/until.ts';

const longTime = 120_000;

interface Stage {
  app: TestApp;
  seed: Seed;
  users: RunUser[];
  /** Commits these files to the repository. */
  commit: (files: Record<string, string>) => Promise<unknown>;
}

async function setStage(count = 3): Promise<Stage> {
  const users = makeRunUsers(count);
  const app = await testApp({
    runner: true,
    config: { runAs: users, path: realPrograms },
  });
  const files = { 'play.sh': 'echo ready; while :; do sleep 1; done\n' };
  const seed = await seedProject(app.admin, files);
  const { git_url: path } = await app.admin.call(repositories.one, {
    params: { project_id: seed.projectId, repository_id: seed.repositoryId },
  });
  // The users of tasks can read the repository, as any local repository.
  await chmod(path, 0o755);
  return { app, seed, users, commit: (added) => commitFiles(path, added) };
}

/** A task that runs until it is stopped; returns its folder and processes. */
async function otherRun({ app, seed }: Stage) {
  const template = await seed.template({
    app: 'bash',
    playbook: 'play.sh',
    survey_vars: [{ name: 'token', title: 'Token', type: 'secret' }],
  });
  const task = await launch(app.admin, seed.projectId, {
    template_id: template.id,
    secret: '{"token": "canary-of-escape"}',
  });
  await untilStatus(app.admin, task, 'running');
  await until(async () => (await logText(app.admin, task)).includes('ready'));
  const runs = join(app.ctx.config.dataDir, 'runs');
  const name = (await readdir(runs)).find((one) => one.startsWith(`${task.id}-`)) ?? '';
  const [step = ''] = (await readdir(join(runs, name))).filter((one) => one.startsWith('step-'));
  const child = await until(() =>
    readFile(join(runs, name, step, 'child'), 'utf8').catch(() => null),
  );
  const mark = createHash('sha256').update(basename(name)).digest('hex').slice(0, 16);
  return {
    task,
    dir: join(runs, name),
    supervisor: (await readFile(join(runs, name, step, 'supervisor'), 'utf8')).split(' ')[0],
    victims: {
      dataDir: app.ctx.config.dataDir,
      serverPid: process.pid,
      otherRun: join(runs, name),
      otherSecrets: join('/dev/shm', `sbx-${mark}`),
      otherPid: Number(child.split(' ')[0]),
    },
  };
}

const processesOf = (uid: number): string => {
  try {
    return execFileSync('ps', ['-o', 'pid=,args=', '-U', String(uid)], { encoding: 'utf8' });
  } catch {
    // The process has none.
    return '';
  }
};

const playbook = `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.command: bash hostile.sh
      register: tried
    - ansible.builtin.debug:
        var: tried.stdout_lines
`;

for (const by of ['bash', 'ansible'] as const) {
  const logs = new Map<string, string>();

  test(
    `gate 13: a hostile task of ${by} ends, and nothing of it stays`,
    { timeout: longTime },
    async () => {
      const stage = await setStage();
      const { app, seed, users } = stage;
      const other = await otherRun(stage);
      await stage.commit({ 'hostile.sh': hostileScript(other.victims), 'play.yml': playbook });
      const template = await seed.template(
        by === 'bash' ? { app: 'bash', playbook: 'hostile.sh' } : { playbook: 'play.yml' },
      );
      const task = await launch(app.admin, seed.projectId, { template_id: template.id });
      await untilStatus(app.admin, task, 'success');
      logs.set(by, await logText(app.admin, task));
      expect(logs.get(by)).toContain('all is tried');
      // The other task has the first user; this one has the second.
      const uid = users[1]?.uid ?? 0;
      await until(() => processesOf(uid) === '');
      await until(async () => !(await lstat(`/tmp/left-by-${uid}`).catch(() => null)));
      await until(async () => (await readdir(join(app.ctx.config.dataDir, 'runs'))).length === 1);
      const environ = await readFile(`/proc/${other.supervisor}/environ`, 'utf8');
      const names = environ.split('\0').map((one) => one.split('=')[0] ?? '');
      expect(new Set(names)).toEqual(new Set(['', 'SIGNALBOX_RUN']));
    },
  );

  test.each(tries(false))(`gate 13: a task of ${by} cannot %s`, (name) => {
    expect(logs.get(by)).toContain(`held: ${name}.`);
    expect(logs.get(by)).not.toContain(`ESCAPED: ${name}.`);
  });
}

// An attempt that fails in the control too would fail by a mistake of the test.
test(
  'gate 13: the same task as the user of the server gets most of it',
  { timeout: longTime },
  async () => {
    const stage = await setStage(0);
    const { app, seed } = stage;
    const other = await otherRun(stage);
    await stage.commit({ 'hostile.sh': hostileScript(other.victims, true) });
    const template = await seed.template({ app: 'bash', playbook: 'hostile.sh' });
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    await until(async () => (await logText(app.admin, task)).includes('all is tried'));
    const log = await logText(app.admin, task);
    const held = tries(true).filter((name) => log.includes(`held: ${name}.`));
    expect(held).toEqual([]);
  },
);
