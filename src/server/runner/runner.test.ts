import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import { tasks } from '#shared/api/tasks.ts';
import { testApp, type TestApp } from '../../../test/helpers/app.ts';
import {
  commitFiles,
  folder,
  git,
  gitRepository,
  seedProject,
} from '../../../test/helpers/seed.ts';
import {
  launch,
  logText,
  readTask,
  untilFinished,
  untilStatus,
} from '../../../test/helpers/tasks.ts';
import { until } from '../../../test/helpers/until.ts';

/** A project whose only playbook is this shell script: see test/fixtures/bin. */
async function projectOf(app: TestApp, script: string) {
  return seedProject(app.admin, { 'play.yml': script });
}

async function runOnce(app: TestApp, script: string) {
  const seed = await projectOf(app, script);
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const finished = await untilFinished(app.admin, task);
  return { seed, template, task: finished, log: await logText(app.admin, finished) };
}

async function leftovers(app: TestApp): Promise<string[]> {
  return readdir(join(app.ctx.config.dataDir, 'runs'));
}

test('a task that succeeds has its commit, its times and its whole log', async () => {
  const app = await testApp({ runner: true });
  const { task, log } = await runOnce(app, 'echo one; echo two >&2; printf three\n');
  expect(task.status).toBe('success');
  expect(task.commit_hash).toMatch(/^[0-9a-f]{40}$/);
  expect(task.commit_message).toBe('First commit');
  expect(task.start && task.end && task.start <= task.end).toBe(true);
  expect(log).toContain('Command: ansible-playbook --inventory=');
  for (const line of ['one', 'two', 'three']) expect(log.split('\n')).toContain(line);
  expect(task.log_lines).toBe(log.split('\n').length);
  expect(await leftovers(app)).toEqual([]);
});

test('a program that fails makes the task fail, and the log says how', async () => {
  const app = await testApp({ runner: true });
  const { task, log } = await runOnce(app, 'echo before; exit 4\n');
  expect(task.status).toBe('error');
  expect(log).toContain('before\nansible-playbook ended with the exit code 4.');
});

test('a program ended by a signal makes the task fail, and the log names the signal', async () => {
  const app = await testApp({ runner: true });
  const { task, log } = await runOnce(app, 'kill -9 $$\n');
  expect(task.status).toBe('error');
  expect(log).toContain('was ended by the signal SIGKILL');
});

test('gives the program nothing of the server but what a run needs', async () => {
  const app = await testApp({ runner: true });
  process.env['SIGNALBOX_CANARY'] = 'x';
  const { log } = await runOnce(app, 'env | sed "s/^/env:/"; ps -o pid=,pgid=,sid= -p $$\n');
  delete process.env['SIGNALBOX_CANARY'];
  const names = [...log.matchAll(/^env:(\w+)=/gm)].map(([, name]) => name).sort();
  expect(names).toEqual([
    'ANSIBLE_FORCE_COLOR',
    'ANSIBLE_RETRY_FILES_ENABLED',
    'ANSIBLE_SSH_COMMON_ARGS',
    'HOME',
    'LANG',
    'PATH',
    'PWD',
    'PYTHONUNBUFFERED',
  ]);
});

test('runs the program as the leader of a session of its own', async () => {
  const app = await testApp({ runner: true });
  const { log } = await runOnce(app, 'echo "ids $$ $(cut -d" " -f5,6 /proc/$$/stat)"\n');
  const [, pid, group, session] = /ids (\d+) (\d+) (\d+)/.exec(log) ?? [];
  expect([group, session]).toEqual([pid, pid]);
});

test('stops a running task with its children, as stopped and not as failed', async () => {
  const app = await testApp({ runner: true });
  const seed = await projectOf(app, 'sleep 1000 & echo "child $!"; wait\n');
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const log = await until(async () => {
    const text = await logText(app.admin, task);
    return text.includes('child') && text;
  });
  const params = { project_id: seed.projectId, task_id: task.id };
  await app.admin.call(tasks.stop, { params, body: {} });
  expect((await untilFinished(app.admin, task)).status).toBe('stopped');
  const child = Number(/child (\d+)/.exec(log)?.[1]);
  await until(() => !isAlive(child));
  expect(await leftovers(app)).toEqual([]);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('kills at once a program that ignores TERM, when the stop is forced', async () => {
  const app = await testApp({ runner: true });
  const seed = await projectOf(app, 'trap "" TERM; echo ready; while :; do sleep 1; done\n');
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  await until(async () => (await logText(app.admin, task)).includes('ready'));
  const params = { project_id: seed.projectId, task_id: task.id };
  await app.admin.call(tasks.stop, { params, body: {} });
  expect((await readTask(app.admin, task)).status).toBe('stopping');
  const begun = Date.now();
  await app.admin.call(tasks.stop, { params, body: { force: true } });
  expect((await untilFinished(app.admin, task)).status).toBe('stopped');
  expect(Date.now() - begun).toBeLessThan(5_000);
});

test('a child in the background that keeps the pipe does not keep the task', async () => {
  const app = await testApp({ runner: true });
  const begun = Date.now();
  const { task, log } = await runOnce(app, 'setsid sleep 20 & echo "child $!"; echo done\n');
  expect(task.status).toBe('success');
  expect(log).toContain('done');
  expect(Date.now() - begun).toBeLessThan(15_000);
  process.kill(Number(/child (\d+)/.exec(log)?.[1]), 'SIGKILL');
});

test('the next task starts when a slot becomes free, without a clock', async () => {
  const app = await testApp({ runner: true });
  const seed = await projectOf(app, 'echo hello\n');
  const template = await seed.template();
  const all = [];
  for (let count = 0; count < 5; count += 1) {
    all.push(await launch(app.admin, seed.projectId, { template_id: template.id }));
  }
  for (const task of all) await untilStatus(app.admin, task, 'success');
  const finished = await Promise.all(all.map((task) => readTask(app.admin, task)));
  for (const [index, task] of finished.entries()) {
    const before = finished[index - 1];
    if (before) expect(String(before.end) <= String(task.start)).toBe(true);
  }
});

test('hides the secrets of keys and answers, and leaves none of them behind', async () => {
  const app = await testApp({ runner: true });
  const script = [
    'for argument; do case $argument in --*-password-file=*|--extra-vars=@*)',
    '  file=${argument#*=}; file=${file#@}; echo "file $file"; cat "$file"; echo',
    '  stat -c "mode %a" "$file"; base64 -w0 "$file"; echo ;; esac; done',
    'tr "\\0" " " < /proc/$$/cmdline; echo; tr "\\0" " " < /proc/$$/environ; echo',
  ].join('\n');
  const seed = await projectOf(app, script);
  const params = { project_id: seed.projectId };
  const secrets = ['canary-login-1', 'canary-become-2', 'canary-answer-3'];
  const ids: number[] = [];
  for (const [index, password] of secrets.slice(0, 2).entries()) {
    const body = {
      name: `Password ${index}`,
      type: 'login_password' as const,
      login_password: { login: `user${index}`, password },
    };
    ids.push((await app.admin.call(keys.create, { params, body })).id);
  }
  const [user = 0, become = 0] = ids;
  const inventory = await app.admin.call(inventories.create, {
    params,
    body: {
      name: 'With keys',
      type: 'static',
      inventory: 'localhost\n',
      ssh_key_id: user,
      become_key_id: become,
    },
  });
  const template = await seed.template({
    inventory_id: inventory.id,
    survey_vars: [{ name: 'token', title: 'Token', type: 'secret' }],
  });
  const task = await launch(app.admin, seed.projectId, {
    template_id: template.id,
    secret: JSON.stringify({ token: secrets[2] }),
  });
  await untilStatus(app.admin, task, 'success');
  const log = await logText(app.admin, task);
  expect(log).toContain('--user=user0');
  expect(log).toContain('--become-user=user1');
  expect(log.match(/mode 600/g)).toHaveLength(3);
  expect(log).toContain('********');
  const files = [...log.matchAll(/^file (.*)$/gm)].map(([, path]) => String(path));
  expect(files).toHaveLength(3);
  for (const path of files) await expect(readFile(path)).rejects.toThrow('ENOENT');
  const database = await readFile(join(app.ctx.config.dataDir, 'signalbox.db'));
  const journal = await readFile(join(app.ctx.config.dataDir, 'signalbox.db-wal'));
  for (const secret of secrets) {
    for (const text of [secret, Buffer.from(secret).toString('base64')]) {
      expect(log).not.toContain(text);
      expect(database.includes(text)).toBe(false);
      expect(journal.includes(text)).toBe(false);
    }
  }
  expect(await leftovers(app)).toEqual([]);
});

test('gives an ssh key to the program through an agent, and ends the agent', async () => {
  const app = await testApp({ runner: true });
  const seed = await projectOf(app, 'ssh-add -l; echo "socket $SSH_AUTH_SOCK"\n');
  const params = { project_id: seed.projectId };
  const place = await folder();
  const { execFileSync } = await import('node:child_process');
  const file = join(place, 'id');
  execFileSync('ssh-keygen', [
    '-q',
    '-t',
    'ed25519',
    '-N',
    'canary phrase',
    '-C',
    'me',
    '-f',
    file,
  ]);
  const privateKey = await readFile(file, 'utf8');
  const make = async (name: string, passphrase: string) => {
    const ssh = { login: 'deploy', passphrase, private_key: privateKey.replaceAll('\n', '\r\n') };
    return app.admin.call(keys.create, { params, body: { name, type: 'ssh', ssh } });
  };
  const run = async (keyId: number) => {
    const inventory = await app.admin.call(inventories.create, {
      params,
      body: { name: `Key ${keyId}`, type: 'static', inventory: 'localhost\n', ssh_key_id: keyId },
    });
    const template = await seed.template({ inventory_id: inventory.id });
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    const { status } = await untilFinished(app.admin, task);
    return { status, log: await logText(app.admin, task) };
  };
  const good = await run((await make('Good', 'canary phrase')).id);
  expect(good.log).toContain('(ED25519)');
  expect(good.log).toContain('--user=deploy');
  expect(good.status).toBe('success');
  const socket = /socket (.*)/.exec(good.log)?.[1] ?? '';
  expect(socket).not.toBe('');
  await expect(readFile(socket)).rejects.toThrow('ENOENT');
  const bad = await run((await make('Bad', 'wrong')).id);
  expect(bad.status).toBe('error');
  expect(bad.log).toContain('Check the key and its passphrase');
  expect(good.log + bad.log).not.toContain('canary');
});

test('each run has the newest commit in a folder of its own; a pinned one has its commit', async () => {
  const app = await testApp({ runner: true });
  const script = 'pwd; cat version; git rev-parse HEAD 2>/dev/null; ls -a\n';
  const seed = await seedProject(app.admin, { 'play.yml': script, version: 'first\n' });
  const template = await seed.template();
  const params = { project_id: seed.projectId, repository_id: seed.repositoryId };
  const { git_url: path } = await app.admin.call(repositories.one, { params });
  const one = await launch(app.admin, seed.projectId, { template_id: template.id });
  const first = await untilStatus(app.admin, one, 'success');
  await commitFiles(path, { version: 'second\n' }, 'Second');
  const two = await launch(app.admin, seed.projectId, { template_id: template.id });
  const second = await untilStatus(app.admin, two, 'success');
  expect(await logText(app.admin, one)).toContain('first');
  expect(await logText(app.admin, two)).toContain('second');
  expect(second.commit_message).toBe('Second');
  const again = await launch(app.admin, seed.projectId, {
    template_id: template.id,
    commit_hash: first.commit_hash,
  });
  const third = await untilStatus(app.admin, again, 'success');
  expect(third.commit_hash).toBe(first.commit_hash);
  expect(await logText(app.admin, again)).toContain('first');
});

test('takes the branch of the template before that of the repository, and tags too', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin, { 'play.yml': 'cat where\n', where: 'main\n' });
  const params = { project_id: seed.projectId, repository_id: seed.repositoryId };
  const { git_url: path } = await app.admin.call(repositories.one, { params });
  await git(path, 'switch', '--quiet', '-c', 'release/1');
  await commitFiles(path, { where: 'release\n' });
  await git(path, 'tag', 'v1');
  for (const branch of ['release/1', 'v1']) {
    const template = await seed.template({ git_branch: branch });
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    await untilStatus(app.admin, task, 'success');
    expect(await logText(app.admin, task)).toContain('release');
  }
  const missing = await seed.template({ git_branch: 'nowhere' });
  const task = await launch(app.admin, seed.projectId, { template_id: missing.id });
  expect((await untilFinished(app.admin, task)).status).toBe('error');
  expect(await logText(app.admin, task)).toContain('no branch or tag "nowhere"');
});

test('runs a plain folder from a copy', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin);
  const path = await folder();
  await writeFile(join(path, 'play.yml'), 'pwd; touch made-by-the-run; echo plain\n');
  const params = { project_id: seed.projectId };
  const repository = await app.admin.call(repositories.create, {
    params,
    body: { name: 'Plain', git_url: path, ssh_key_id: seed.keyId },
  });
  const template = await seed.template({ repository_id: repository.id });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const finished = await untilStatus(app.admin, task, 'success');
  expect(finished.commit_hash).toBeNull();
  expect(await readdir(path)).toEqual(['play.yml']);
});

test('refuses links that lead out of the repository or out of the allowed folders', async () => {
  const outside = await folder();
  await writeFile(join(outside, 'secret.yml'), 'echo leaked\n');
  const allowed = await folder();
  const app = await testApp({ runner: true, config: { localRepositories: [allowed] } });
  const inside = join(allowed, 'code');
  await mkdir(inside);
  await symlink(join(outside, 'secret.yml'), join(inside, 'play.yml'));
  await symlink(outside, join(allowed, 'way-out'));
  const root = await testApp({ runner: true });
  expect(root.ctx.config.localRepositories).toEqual(['/']);
  const seed = await seedProjectIn(app, inside);
  const wayOut = await seedProjectIn(app, join(allowed, 'way-out'), 'secret.yml');
  for (const [one, words] of [
    [seed, 'lies outside the repository'],
    [wayOut, 'is outside the folders that the administrator allows'],
  ] as const) {
    const task = await launch(app.admin, one.projectId, { template_id: one.templateId });
    expect((await untilFinished(app.admin, task)).status).toBe('error');
    const log = await logText(app.admin, task);
    expect(log).toContain(words);
    expect(log).not.toContain('leaked');
  }
});

/** A project whose repository is a folder that must be allowed. */
async function seedProjectIn(app: TestApp, path: string, playbook = 'play.yml') {
  const { projects } = await import('#shared/api/projects.ts');
  const { templates } = await import('#shared/api/templates.ts');
  const project = await app.admin.call(projects.create, { body: { name: path } });
  const params = { project_id: project.id };
  const [key] = await app.admin.call(keys.list, { params });
  const [environment] = await app.admin.call(environments.list, { params });
  const ssh_key_id = key?.id ?? 0;
  const inventory = await app.admin.call(inventories.create, {
    params,
    body: { name: 'Hosts', type: 'static', inventory: 'localhost\n', ssh_key_id },
  });
  const repository = await app.admin.call(repositories.create, {
    params,
    body: { name: 'Code', git_url: path, ssh_key_id },
  });
  const template = await app.admin.call(templates.create, {
    params,
    body: {
      name: 'Run',
      playbook,
      inventory_id: inventory.id,
      repository_id: repository.id,
      environment_id: environment?.id ?? 0,
    },
  });
  return { projectId: project.id, templateId: template.id };
}

test('keeps lines of 10 MB, binary output and 50,000 lines, each in its place', async () => {
  const app = await testApp({ runner: true });
  const script = [
    'seq 1 50000',
    'head -c 10000000 /dev/zero | tr "\\0" a; echo',
    'printf "\\377\\376bin\\000ary\\n"',
    'echo end',
  ].join('\n');
  const { task, log } = await runOnce(app, script);
  expect(task.status).toBe('success');
  const lines = log.split('\n');
  const first = lines.indexOf('1');
  const numbers = lines.slice(first, first + 50_000).map(Number);
  expect(numbers).toEqual(Array.from({ length: 50_000 }, (_, index) => index + 1));
  expect(lines[first + 50_000]?.length).toBe(10_000_000);
  expect(lines.slice(first + 50_001)).toEqual(['\uFFFD\uFFFDbin\uFFFDary', 'end']);
});

test('a task that the server leaves behind ends as failed, and its log says why', async () => {
  const app = await testApp();
  const seed = await projectOf(app, 'echo hello\n');
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const { claimNext } = await import('../tasks/tasks.ts');
  const { createTaskLog } = await import('./task-log.ts');
  const claimed = await claimNext(app.ctx);
  expect(claimed?.id).toBe(task.id);
  const lines = createTaskLog(app.ctx, task, (line) => line);
  await lines.add(['said before the end']);
  await lines.close();
  await app.app.runner.start();
  expect((await readTask(app.admin, task)).status).toBe('error');
  const log = await logText(app.admin, task);
  expect(log).toMatch(/^said before the end\nThe server ended while this task ran/);
});

test('a server that closes ends what runs, and says so in the log', async () => {
  const app = await testApp({ runner: true });
  const seed = await projectOf(app, 'echo begun; sleep 1000\n');
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  await until(async () => (await logText(app.admin, task)).includes('begun'));
  await app.app.runner.close();
  expect((await readTask(app.admin, task)).status).toBe('error');
  expect(await logText(app.admin, task)).toContain('The server was stopped while this task ran');
  expect(await leftovers(app)).toEqual([]);
});

test('git never runs what an address hides', async () => {
  const app = await testApp({ runner: true });
  const place = await gitRepository({ 'play.yml': 'echo hello\n' });
  const mark = join(await folder(), 'touched');
  await mkdir(join(place, '.git', 'hooks'), { recursive: true });
  for (const hook of ['post-checkout', 'reference-transaction', 'pre-auto-gc']) {
    await writeFile(join(place, '.git', 'hooks', hook), `#!/bin/sh\ntouch ${mark}\n`, {
      mode: 0o755,
    });
  }
  const seed = await seedProject(app.admin);
  const params = { project_id: seed.projectId };
  const repository = await app.admin.call(repositories.create, {
    params,
    body: { name: 'Hooks', git_url: place, git_branch: 'main', ssh_key_id: seed.keyId },
  });
  const template = await seed.template({ repository_id: repository.id });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  await untilStatus(app.admin, task, 'success');
  await expect(readFile(mark)).rejects.toThrow('ENOENT');
});
