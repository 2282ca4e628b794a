// Slow: a real server, tasks and Ansible run what the guide shows.
// Only on SQLite: the commands are about the server, not about its database.

import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { readFiles } from '../src/runner/sandbox/sandbox.ts';
import { blocks } from './guide/blocks.ts';
import type { Run } from './guide/checks.ts';
import { claims } from './guide/claims.ts';
import { makePlace, type GuideServer, runCommands } from './guide/place.ts';
import { freshPostgres, type FreshPostgres } from './helpers/postgres.ts';
import { folder } from './helpers/seed.ts';
import { until } from './helpers/until.ts';

let place: GuideServer;
let database: FreshPostgres;

beforeAll(async () => {
  database = await freshPostgres();
  place = await makePlace(database.url);
}, 300_000);
afterAll(async () => {
  await place.stop();
  const roles = ['drop database if exists guide_owner', 'drop role if exists guide_owner'];
  for (const statement of roles) onDatabase(statement);
  await database.drop();
});

const onDatabase = (statement: string): void => {
  execFileSync('psql', ['--quiet', '--command', statement, database.url], { stdio: 'pipe' });
};

const textOf = (page: string, part: string, { replace = {} }: Run): string => {
  const block = blocks.find((one) => one.page === page && one.text.includes(part));
  const pairs = Object.entries(replace);
  return pairs.reduce((text, [from, to]) => text.replaceAll(from, to), block?.text ?? '');
};

const claimed = (...kinds: Run['as'][]) =>
  claims.flatMap(([page, part, check]) =>
    check.at === 'server' && kinds.includes(check.run.as)
      ? [{ page, part, run: check.run, text: textOf(page, part, check.run) }]
      : [],
  );

describe('commands work as they are written', () => {
  test.each(claimed('commands'))('$page: $part', async ({ run, text }) => {
    const { code, out } = await runCommands(place, text, run.input);
    expect(out).toContain(run.shows ?? '');
    expect({ code, out: code === 0 ? '' : out }).toEqual({ code: 0, out: '' });
  });

  test('a command that is refused fails', async () => {
    const wrong =
      'curl -H "Authorization: Bearer $TOKEN" https://signalbox.example.com/api/nothing';
    expect(await runCommands(place, wrong)).toMatchObject({ code: 22 });
  });
});

let scripts = 0;

/** Runs a script of the repository in a task, and waits for its end. */
async function runTask(text: string, variables: object): Promise<{ task: Task; log: string }> {
  const name = `Script ${(scripts += 1)}`;
  await writeFile(join(place.code, `${name}.sh`), text);
  const environment = await place.create('environment', { name, json: JSON.stringify(variables) });
  const { id: template } = await place.create('templates', {
    name,
    app: 'bash',
    type: 'build',
    start_version: '1.0',
    playbook: `${name}.sh`,
    repository_id: 1,
    environment_id: environment.id,
  });
  const { id } = await place.create('tasks', { template_id: template });
  const address = `/api/project/${place.project}/tasks/${id}`;
  const task = await until(async () => {
    const now = await place.api<Task>('GET', address);
    return isFinished(now.status) && now;
  });
  const lines = await place.api<{ output: string }[]>('GET', `${address}/output`);
  return { task, log: lines.map(({ output }) => output).join('\n') };
}

describe('scripts run in a task', () => {
  test.each(claimed('task'))('$page: $part', async ({ run, text }) => {
    const { task, log } = await runTask(text, run.variables ?? {});
    expect(log).toContain(run.shows ?? '');
    expect({ status: task.status, log }).toEqual({ status: 'success', log });
  });

  test('a script that fails is a task that fails', async () => {
    expect((await runTask('set -eu\necho "$missing"\n', {})).task.status).toBe('error');
  });
});

const program = (name: string, args: string[], env: Record<string, string> = {}): string =>
  execFileSync(name, args, { encoding: 'utf8', stdio: 'pipe', env: { ...process.env, ...env } });

/** How Ansible reads a file of each kind; throws if it does not. */
const readers: Record<Exclude<Run['as'], 'commands' | 'task'>, (path: string) => unknown> = {
  inventory: (path) =>
    program('ansible-inventory', ['-i', path, '--list'], {
      ANSIBLE_INVENTORY_UNPARSED_FAILED: 'True',
    }),
  'ansible.cfg': (path) =>
    program('ansible-config', ['dump', '--only-changed'], { ANSIBLE_CONFIG: path }),
  playbook: (path) => program('ansible-playbook', ['--syntax-check', path]),
  requirements: async (path) => {
    const said: string[] = [];
    const access = {
      user: null,
      signal: new AbortController().signal,
      say: async (lines: string[]) => void said.push(...lines),
    };
    const [file] = await readFiles(
      [{ root: dirname(path), path: basename(path), as: 'requirements' }],
      access,
    );
    expect([said, file?.asksFor]).toEqual([[], ['collection', 'role']]);
    return '';
  },
};

type Ansible = keyof typeof readers;

const kinds = Object.keys(readers) as Ansible[];

/** Tasks alone become a playbook. */
const whole = (as: Run['as'], text: string): string =>
  as === 'playbook' && !text.includes('hosts:')
    ? `- hosts: all\n  tasks:\n${text.replaceAll(/^(?=.)/gm, '    ')}`
    : text;

async function read(as: Ansible, text: string): Promise<unknown> {
  // Ansible reads a configuration by the end of its name.
  const path = join(await folder(), as);
  await writeFile(path, whole(as, text));
  return readers[as](path);
}

describe('Ansible reads what is shown', () => {
  test.each(claimed(...kinds))('$page: $part', async ({ run, text }) => {
    expect(await read(run.as as Ansible, text)).toContain(run.shows ?? '');
  });

  test('a file that is wrong is refused', async () => {
    await expect(read('playbook', '- hosts: all\n  task: []\n')).rejects.toThrow('task');
    await expect(read('inventory', '[web\nhost\n')).rejects.toThrow('Command failed');
  });
});
