// Slow: runs of the real Ansible, and users of the machine.
// The home folder that runs of a project share, with real runs.

import { chmod, mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchedLog } from '../../../test/helpers/kept-secrets.ts';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { gitRepository } from '../../../test/helpers/seed.ts';
import { makeRunUsers } from '../../../test/helpers/unix-user.ts';
import { until } from '../../../test/helpers/until.ts';
import { login, type TaskInput } from '../../../test/runner/given.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import { clearCaches } from '../runs/clear-caches.ts';
import { sweep } from '../runs/sweep.ts';
import { createMemoryRunnerApi } from '../../../test/runner/memory-runner-api.ts';
import { prepareIsolation } from '../workspace/run-users.ts';
import { removeHomes } from './persistent-home.ts';

/** Prints what the home has, and adds to it. */
const note = 'echo "found: $(cat ~/notes 2>/dev/null)."; echo "$NOTE" >> ~/notes\n';

interface Options {
  runAs?: number;
  keptHomeBytes?: number;
  path?: string;
}

async function start({ runAs = 0, ...rest }: Options = {}) {
  const config = { runAs: runAs > 0 ? makeRunUsers(runAs) : [], ...rest };
  const runner = await testRunner({ config, isWaiting: true });
  await prepareIsolation(runner.config);
  await runner.start();
  const repository = await gitRepository({ 'play.yml': note, 'wait.sh': waiting });
  await chmod(repository, 0o755);
  const given = (word: string, more: TaskInput = {}): TaskInput => ({
    app: 'bash',
    repository,
    keepHome: true,
    env: JSON.stringify({ NOTE: word }),
    ...more,
  });
  const run = async (word: string, more?: TaskInput) => {
    const { status, log } = await runner.run(given(word, more));
    expect([status, log]).toEqual(['success', log]);
    return { log, found: /found: (.*)\./s.exec(log)?.[1] };
  };
  const home = (project: number): string => join(runner.config.dataDir, 'homes', String(project));
  return { runner, run, given, home };
}

const waiting = `${note}until [ -e "$GATE/open" ]; do sleep 0.1; done\n`;

const nothingRuns = (): { repositories: []; since: number } => ({
  repositories: [],
  since: Infinity,
});

test('what a run leaves in HOME is there for later runs of its project, and for no others', async () => {
  const { runner, run, home } = await start();
  expect((await run('one')).found).toBe('');
  expect((await run('two', { template: 2 })).found).toBe('one');
  expect((await run('three', { project: 2 })).found).toBe('');
  expect((await run('four', { keepHome: false })).found).toBe('');
  expect((await run('five')).found).toBe('one\ntwo');
  expect((await stat(home(1))).mode & 0o777).toBe(0o700);
  await until(async () => (await readdir(join(runner.config.dataDir, 'runs'))).length === 0);
  expect(await readdir(join(runner.config.dataDir, 'homes'))).toEqual(['1', '2']);
  // Folders in which nothing can be removed as they are, such as those of Go's modules.
  await mkdir(join(home(2), 'closed', 'inner'), { recursive: true });
  await chmod(join(home(2), 'closed'), 0o500);
  expect(await clearCaches(runner.config, nothingRuns)).toBe(true);
  expect(await readdir(join(runner.config.dataDir, 'homes'))).toEqual([]);
  expect((await run('six')).found).toBe('');
});

test('two runs of a project at once share its home, which nobody removes meanwhile', async () => {
  const { runner, run, given, home } = await start({ keptHomeBytes: 4096 });
  const gate = await gitRepository({ 'a.txt': '' });
  const env = JSON.stringify({ NOTE: 'first', GATE: gate });
  const first = await runner.launch(given('', { playbook: 'wait.sh', env }));
  await first.untilLogged('found: .');
  await until(async () => (await readdir(home(1))).includes('notes'));
  await writeFile(join(home(1), 'large'), Buffer.alloc(100_000, 1));
  const { found, log } = await run('second');
  expect(found).toBe('first');
  expect(log).toContain(
    "The project's home folder is larger than SIGNALBOX_KEEP_HOME_BYTES (4096)",
  );
  await removeHomes(runner.config, () => true);
  expect(await readdir(home(1))).toContain('notes');
  await writeFile(join(gate, 'open'), '');
  await first.untilFinished();
  await until(async () => (await readdir(join(runner.config.dataDir, 'runs'))).length === 0);
  const third = await run('third');
  expect(third.found).toBe('');
  expect(third.log).toContain('so it begins empty.');
});

test('the home goes when its project keeps none any more, or no run has used it', async () => {
  const { runner, run, home } = await start();
  for (const project of [1, 2]) await run('one', { project });
  await until(async () => (await readdir(join(runner.config.dataDir, 'runs'))).length === 0);
  runner.store.projects.add(1).add(2);
  runner.store.homeKeepers.add(1);
  const { config } = runner;
  const runnerApi = createMemoryRunnerApi(runner.store);
  await sweep({ config, runnerApi, log: watchedLog() }, () => []);
  expect(await readdir(join(config.dataDir, 'homes'))).toEqual(['1']);
  const past = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
  await utimes(home(1), past, past);
  await runner.restart();
  expect(await until(async () => (await readdir(join(config.dataDir, 'homes'))).length === 0)).toBe(
    true,
  );
});

test('with users for tasks, the home belongs to the user of the run, and to nobody after it', async () => {
  const { runner, run, given, home } = await start({ runAs: 3 });
  const gate = await gitRepository({ 'a.txt': '' });
  await chmod(gate, 0o755);
  await run('one');
  const isBack = async () => (await stat(home(1))).uid === 0;
  await until(isBack);
  const env = JSON.stringify({ NOTE: 'first', GATE: gate });
  const first = await runner.launch(given('', { playbook: 'wait.sh', env }));
  await first.untilLogged('found: one.');
  // A second run at the same time has another user, who must not read files of the first one.
  const { found, log } = await run('second');
  expect(found).toBe('');
  expect(log).toContain("Another task uses the project's home folder");
  const files = { 'play.yml': `cat ${home(1)}/notes; ls ${home(1)}; echo tried\n` };
  const repository = await gitRepository(files);
  await chmod(repository, 0o755);
  const foreign = await runner.run({ app: 'bash', project: 2, repository });
  expect(foreign.log).toContain('tried');
  expect(foreign.log).not.toContain('one');
  await writeFile(join(gate, 'open'), '');
  await first.untilFinished();
  await until(isBack);
  expect((await run('third')).found).toBe('one\nfirst');
});

test('a single user for the tasks of all projects keeps no home', async () => {
  const { run } = await start({ runAs: 1 });
  await run('one');
  const { found, log } = await run('two');
  expect(found).toBe('');
  expect(log).toContain('The home folder is not kept: SIGNALBOX_RUN_AS names a single user');
});

test('nothing that we write for a run of the real Ansible lies in the kept home', async () => {
  const { runner, home } = await start({ path: realPrograms });
  const files = {
    'play.yml':
      '- hosts: all\n  gather_facts: false\n  tasks: [{ ansible.builtin.shell: touch ~/kept-by-ansible }]\n',
    'requirements.yml': 'roles: []\n',
  };
  const { status, log } = await runner.run({
    files,
    keepHome: true,
    key: login('robot', 'password'),
    become: login('', 'password'),
    vaults: [{ name: 'default', password: 'password' }],
  });
  expect([status, log]).toEqual(['success', log]);
  expect(await readdir(home(1), { recursive: true })).toEqual([
    // The folder of Ansible is empty.
    '.ansible',
    'kept-by-ansible',
  ]);
});
