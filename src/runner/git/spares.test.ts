// Slow: each of its runs has a repository of fifteen hundred files.
// Checkouts that are ready for the next run of a large commit.

import { existsSync, readdirSync } from 'node:fs';
import { appendFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commitFiles, git, gitRepository } from '../../../test/helpers/seed.ts';
import { until } from '../../../test/helpers/until.ts';
import { testRunner, type TestRunner } from '../../../test/runner/test-runner.ts';
import { makeSpares, removeSpares, sweepSpares } from './spares.ts';

const longName = 'x'.repeat(200);

/** Files with so long names that a spare checkout is worth it, since the size of the index decides. */
const many = Object.fromEntries(
  Array.from({ length: 400 }, (_, index) => [`files/${longName}${index}.txt`, `${index}\n`]),
);

const show = `git status --porcelain --ignored; cat files/7.txt; pwd; stat --format='folder %i %.9Y' files
git log -1 --format=%H; git describe --tags --always\n`;

const sparesIn = ({ config }: TestRunner) =>
  readdir(join(config.dataDir, 'spares')).catch((): string[] => []);

/** The folder of the spare, once it has been made. */
const untilSpare = (runner: TestRunner): Promise<string> =>
  until(async () => {
    const [name] = await sparesIn(runner);
    if (name === undefined) return false;
    const folder = join(runner.config.dataDir, 'spares', name);
    const isMade = await stat(join(folder, 'index')).catch(() => null);
    return isMade && !(await stat(join(folder, 'tree', '.git')).catch(() => null)) && folder;
  });

async function start(script = show) {
  const runner = await testRunner();
  const repository = await gitRepository({
    'play.yml': script,
    '.gitignore': '*.tmp\n',
    'files/7.txt': '7\n',
    'files/8.txt': '8\n',
    ...many,
  });
  const run = async () => {
    const { status, log, task } = await runner.run({ repository });
    expect([status, log]).toEqual(['success', expect.any(String)]);
    return { log, hash: task.commit_hash };
  };
  return { runner, repository, run };
}

/** Tells one folder from every other, as the script does: a new one may get the inode of an old one. */
async function identityOf(path: string): Promise<string> {
  const { ino, mtimeNs } = await stat(path, { bigint: true });
  return `folder ${ino} ${mtimeNs / 10n ** 9n}.${String(mtimeNs % 10n ** 9n).padStart(9, '0')}`;
}

test('the next run of a large commit gets the files that are ready, and each run others', async () => {
  const { runner, repository, run } = await start();
  const first = await run();
  const ready = await identityOf(join(await untilSpare(runner), 'tree', 'files'));
  const second = await run();
  expect(second.log).toContain(ready);
  expect(first.log).not.toContain(ready);
  expect(second.log).toContain(`\n7\n`);
  expect(second.log).toContain(`\n${second.hash}\n`);
  expect(second.hash).toBe(first.hash);
  const next = await identityOf(join(await untilSpare(runner), 'tree', 'files'));
  expect(next).not.toBe(ready);
  // A commit that has no spare is checked out as ever, and then has one.
  const hash = await commitFiles(repository, { 'files/7.txt': 'seven\n' });
  const third = await run();
  expect([third.hash, third.log]).toEqual([hash, expect.stringContaining('\nseven\n')]);
  await until(async () => (await untilSpare(runner)) && (await sparesIn(runner)).length === 1);
});

test('what a run changes is not there for the next one', async () => {
  const script = `${show}cat secret.tmp 2>/dev/null && exit 3
echo changed > files/7.txt; echo mine > secret.tmp; rm files/8.txt; git add --all
git -c user.name=A -c user.email=a@b commit --quiet --message Mine; git config a.b c
chmod -x files; ln -s /etc/passwd files/link 2>/dev/null; chmod +x files; exit 0\n`;
  const { runner, run } = await start(script);
  const logs: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const { log } = await run();
    await untilSpare(runner);
    logs.push(log);
  }
  for (const log of logs) {
    expect(log).toContain('\n7\n');
    expect(log).not.toMatch(/secret|Mine|link|^ [MD] |changed/m);
  }
});

const meddling: [what: string, meddle: (spare: string) => Promise<unknown>][] = [
  ['changes a file', (spare) => writeFile(join(spare, 'tree/files/7.txt'), '8\n')],
  ['adds a file', (spare) => writeFile(join(spare, 'tree/files/added.txt'), '')],
  ['adds a file that git ignores', (spare) => writeFile(join(spare, 'tree/a.tmp'), '')],
  ['removes a file', (spare) => rm(join(spare, 'tree/files/7.txt'))],
  ['changes the index', (spare) => appendFile(join(spare, 'index'), 'x')],
  ['removes the index', (spare) => rm(join(spare, 'index'))],
  ['removes the files', (spare) => rm(join(spare, 'tree'), { recursive: true })],
  ['puts a new index beside a changed file', replaceBoth],
];

async function replaceBoth(spare: string): Promise<void> {
  const tree = join(spare, 'tree');
  await git(tree, 'init', '--quiet', '--template=');
  await writeFile(join(tree, 'files/7.txt'), '8\n');
  await git(tree, 'add', '--all');
  await writeFile(join(spare, 'index'), await readFile(join(tree, '.git/index')));
  await rm(join(tree, '.git'), { recursive: true });
}

test.each(meddling)(
  'files that are ready are not used when something %s',
  async (_what, meddle) => {
    const { runner, run } = await start();
    await run();
    await meddle(await untilSpare(runner));
    const { log } = await run();
    expect(log).toContain('\n7\n');
    expect(log).not.toMatch(/^(\?\?|!!| [MD]) /m);
  },
);

test('runs of one commit at once each have files of their own', async () => {
  const { runner, repository, run } = await start();
  await run();
  await untilSpare(runner);
  const logs = await Promise.all([1, 2, 3].map(() => runner.run({ repository })));
  const folders = logs.map(({ log }) => /^folder .+$/m.exec(log)?.[0]);
  expect(new Set(folders).size).toBe(3);
});

test('a spare that is being made is not taken for one of an earlier runner', async () => {
  const { runner, run } = await start();
  const folder = join(runner.config.dataDir, 'spares');
  const seen = new Set<string>();
  let sweep: Promise<void> | null = null;
  const watch = setInterval(() => {
    // Many sweeps at once would leave no time for the work that they watch.
    sweep ??= sweepSpares(runner.config).finally(() => (sweep = null));
    for (const name of existsSync(folder) ? readdirSync(folder) : []) seen.add(name);
  }, 1);
  try {
    await run();
    await untilSpare(runner);
  } finally {
    clearInterval(watch);
  }
  expect(await sparesIn(runner)).toEqual([...seen]);
  expect(seen.size).toBe(1);
});

test('small commits have no spare, and those of earlier runners are removed', async () => {
  const runner = await testRunner();
  const repository = await gitRepository({ 'play.yml': 'echo small\n' });
  await runner.run({ repository });
  await makeSpares(runner.config, new AbortController().signal);
  expect(await sparesIn(runner)).toEqual([]);
  const large = await start();
  await large.run();
  const spare = await untilSpare(large.runner);
  await writeFile(join(large.runner.config.dataDir, 'spares', 'left'), '');
  await sweepSpares(large.runner.config);
  expect(await sparesIn(large.runner)).toEqual([spare.split('/').at(-1)]);
  await removeSpares(large.runner.config);
  expect(await sparesIn(large.runner)).toEqual([]);
});
