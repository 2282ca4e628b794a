// Runs the same playbooks with each version of Ansible, by a runner and by hand: what is told of hosts,
// items and outputs is what the hooks of that version tell a plain callback.

import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RunResult } from '#shared/api/run-results.ts';
import { layouts, type Layout } from '../../content/layouts.ts';
import { expectTheSame } from '../../content/same-ending.ts';
import { folder } from '../../helpers/seed.ts';
import type { StoredTask } from '../../runner/memory-store.ts';
import { testRunner, type TestRunner } from '../../runner/test-runner.ts';
import { plays, vaulted, vaultSecrets, wantedReasons } from './plays.ts';
import { ansibles } from './versions.ts';

interface Plain {
  kind: 'result' | 'item';
  task: string;
  host: string;
  state: string;
  stats: Record<string, unknown>;
}

interface Named {
  task: string;
  result: RunResult;
}

/** The results of our run with the names of their tasks. */
const namedResults = ({ sections, runResults }: StoredTask): Named[] => {
  const names = new Map([...sections.values()].map(({ number, name }) => [number, name]));
  return runResults.map((result) => ({ task: names.get(result.section) ?? '', result }));
};

const count = (lines: string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const line of lines.toSorted()) counts[line] = (counts[line] ?? 0) + 1;
  return counts;
};

/** Ansible's hooks do not know what a block rescues. */
const asHooksTell = (state: string): string => (state === 'rescued' ? 'failed' : state);

function toldByUs(all: Named[]): string[] {
  return all.flatMap(({ task, result: { host, state, items } }) => [
    `${task} on ${host}: ${asHooksTell(state)}`,
    ...Object.entries(items ?? {}).flatMap(([outcome, number]) =>
      Array.from({ length: number }, () => `${task} on ${host}, item: ${outcome}`),
    ),
  ]);
}

const toldByHooks = (all: Plain[]): string[] =>
  all.map(
    ({ kind, task, host, state }) =>
      `${task} on ${host}${kind === 'item' ? ', item' : ''}: ${state}`,
  );

/** Expects that our run tells the outcomes that the hooks of a run by hand tell. */
async function expectHooks(runner: TestRunner, layout: Layout) {
  const told = join(await folder(), 'told');
  const env = {
    TOLD: told,
    ANSIBLE_CALLBACK_PLUGINS: import.meta.dirname,
    // Nothing is written beside the callback.
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const { task } = await expectTheSame(runner, 'a play', {
    ...layout,
    byHand: { ...layout.byHand, env: { ...layout.byHand?.env, ...env } },
  });
  const lines = (await readFile(told, 'utf8')).trim().split('\n');
  const plain = lines.map((line) => JSON.parse(line) as Plain);
  const named = namedResults(task);
  expect(count(toldByUs(named))).toEqual(count(toldByHooks(plain)));
  return { task, plain };
}

/** The play with a vault that the programs of this version have encrypted. */
async function vaultedWith(path: string): Promise<Layout> {
  const place = await folder();
  const [password, secrets] = [join(place, 'password'), join(place, 'secrets.yml')];
  await writeFile(password, 'open sesame\n');
  await writeFile(secrets, JSON.stringify(vaultSecrets));
  const args = ['encrypt', '--vault-password-file', password, secrets];
  execFileSync('ansible-vault', args, { env: { PATH: path, HOME: place }, stdio: 'pipe' });
  return vaulted(await readFile(secrets, 'utf8'), 'open sesame', password);
}

/** What the guide says of each version. */
const columns = ['counts', 'items', 'reasons', 'background', 'outputs'] as const;
type Column = (typeof columns)[number];

/** What a play proves of a version. */
const provedBy: Record<string, Column[]> = {
  loops: ['counts', 'items'],
  background: ['background'],
};

/** What has turned out to be right until now, as "version column". */
const isRight = new Set<string>();

/** The table of the guide, as the tests above have made it. */
const tableMade = (): string =>
  ansibles
    .map(({ version, python }) => {
      const cells = columns.map((column) => (isRight.has(`${version} ${column}`) ? '✓' : '✗'));
      return `| ${[version, python, ...cells].join(' | ')} |\n`;
    })
    .join('');

describe.each(ansibles)('ansible-core $version', ({ version, path }) => {
  let runner: TestRunner;
  const note = (...right: Column[]): void => {
    for (const column of right) isRight.add(`${version} ${column}`);
  };
  beforeAll(async () => {
    runner = await testRunner({ config: { path }, shared: true });
    return () => runner.close();
  });

  test.each(Object.entries(layouts))('%s: ends as by hand', async (name, layout) => {
    await expectTheSame(runner, name, layout);
  });

  test.each(Object.entries(plays))(
    '%s: each outcome is that of the hooks',
    async (name, layout) => {
      await expectHooks(runner, layout);
      note(...(provedBy[name] ?? []));
    },
  );

  test('a reason is what the program or module says', async () => {
    const { task } = await expectHooks(runner, plays.reasons);
    const told = namedResults(task).filter(({ task: name }) => name in wantedReasons);
    expect(told).toHaveLength(2 * Object.keys(wantedReasons).length);
    for (const { task: name, result } of told) {
      expect([name, result.message]).toEqual([
        name,
        expect.stringMatching(wantedReasons[name] ?? ''),
      ]);
    }
    note('reasons');
  });

  test('an error of Ansible itself is the reason, whatever its exit code means elsewhere', async () => {
    const text = '- hosts: all\n  gather_facts: false\n  roles: [nowhere]\n';
    const { task } = await expectTheSame(runner, 'no role', { files: { 'play.yml': text } });
    expect(task.failure).toMatchObject({
      code: 'failure.program_error',
      params: { error: expect.stringMatching(/role 'nowhere' was not found/) },
    });
  });

  test('what Ansible hides of a vault is a secret output, and hides no outcome', async () => {
    const { task, plain } = await expectHooks(runner, await vaultedWith(path));
    const shown = plain.find(({ stats }) => 'token' in stats)?.stats['token'];
    const { token } = vaultSecrets;
    const isHidden = shown !== token;
    expect(isHidden).toBe(Number(version.split('.')[1]) >= 22);
    expect(task.outputs).toEqual([
      { name: 'token', value: isHidden ? null : token, secret: isHidden ? `"${token}"` : null },
      { name: 'known', value: true, secret: null },
    ]);
    expect(namedResults(task).filter(({ result }) => result.changed)).toHaveLength(4);
    note('outputs');
  });
});

test('the table of the guide is the one that these tests have made', async () => {
  const page = new URL('../../../docs/guide/versions.md', import.meta.url);
  expect(await readFile(page, 'utf8')).toContain(tableMade());
});
