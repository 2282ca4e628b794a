// Slow: each commit is laid out by git as well, and compared.
// Commits whose files the runner keeps in memory and writes itself.

import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commitFiles, folder, git, gitRepository } from '../../../test/helpers/seed.ts';
import { until } from '../../../test/helpers/until.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import { git as safeGit } from './git.ts';
import type { Content } from './lay-out.ts';
import { forgetSmall, isKnown, keepSmall, layOutSmall } from './small-commits.ts';
import { removeSpares, sweepSpares } from './spares.ts';

/** Git writes the hashes of folders into an index, and the runner does not. */
const whoWroteIt = 'grep -q TREE .git/index && echo by git || echo by the runner\n';

const show = `${whoWroteIt}git diff-index HEAD; git status --porcelain --ignored; git ls-files --stage
find . -path ./.git -prune -o -printf '%M %y %s %l %P\\n' | sort; cat -- "$(printf 'a\\nb')"
git log -1 --format=%H; git describe --tags --always; git fsck --no-dangling 2>&1\n`;

async function start(files: Record<string, string>) {
  const runner = await testRunner();
  const repository = await gitRepository(files);
  const run = async () => {
    const { status, log } = await runner.run({ repository });
    expect([status, log]).toEqual(['success', expect.any(String)]);
    return log;
  };
  /** Runs it, and waits until the runner knows how to lay out its commit. */
  const settle = async (): Promise<string> => {
    const log = await run();
    const hash = await git(repository, 'rev-parse', 'HEAD');
    const mirrors = join(runner.config.dataDir, 'mirrors');
    await until(async () => {
      const all = (await readdir(mirrors)).map((name) => join(mirrors, name, 'objects'));
      return all.some((objects) => isKnown({ objects, hash, refs: '', shallow: '' }));
    });
    return log;
  };
  return { runner, repository, run, settle };
}

test('the next run of a small commit finds the same files, which git takes for its own', async () => {
  const { repository, run, settle } = await start({
    'play.yml': show,
    '.gitignore': '*.tmp\n',
    'a\nb': 'lines\n',
    '-x': '',
    'grün/"quoted".txt': 'grün\r\n\ufeffmore\n',
    'deep/er/and/deeper.txt': 'x'.repeat(5000),
    [`long/${'n'.repeat(250)}`]: 'long name\n',
  });
  await mkdir(join(repository, 'links'));
  await symlink('../play.yml', join(repository, 'links/inside'));
  await symlink('/nowhere/at all', join(repository, 'links/outside'));
  await symlink('deep', join(repository, 'folder'));
  await chmod(join(repository, 'a\nb'), 0o755);
  await commitFiles(repository, {});
  const first = await settle();
  const second = await run();
  expect(first).toContain('by git\n');
  expect(second).toContain('by the runner\n');
  const rest = (log: string) => log.split(/by git\n|by the runner\n/)[1];
  expect(rest(second)).toBe(rest(first));
  expect(second).toMatch(/^-rwxr-xr-x f 6  a$/m);
  expect(second).toContain('deep/er/and/deeper.txt');
});

test('what a run changes is not there for the next one', async () => {
  const { settle } = await start({
    'play.yml': `${whoWroteIt}cat kept; git status --porcelain; echo changed >kept; echo new >new; git add --all
git -c user.name=A -c user.email=a@b commit --quiet --message Mine && git log --format=%s\n`,
    kept: 'as committed\n',
  });
  await settle();
  for (let round = 0; round < 2; round += 1) {
    const log = await settle();
    expect(log).toMatch(/by the runner\nas committed\nMine\nFirst commit$/);
  }
});

test('another commit is laid out by git, and then kept as well', async () => {
  const { repository, run, settle } = await start({
    'play.yml': `${whoWroteIt}cat what\n`,
    what: '1\n',
  });
  await settle();
  expect(await run()).toMatch(/by the runner\n1$/);
  await commitFiles(repository, { what: '2\n' });
  expect(await settle()).toMatch(/by git\n2$/);
  expect(await run()).toMatch(/by the runner\n2$/);
});

const leftToGit: [what: string, add: (repository: string) => Promise<unknown>][] = [
  [
    'attributes change a file',
    (repository) =>
      commitFiles(repository, { '.gitattributes': '*.txt eol=crlf\n', 'a.txt': 'a\nb\n' }),
  ],
  ['a file is no text', (repository) => commitBytes(repository, Buffer.from([0xff, 0xfe, 0x00]))],
  ['it has many files', (repository) => commitFiles(repository, numbered(70))],
  ['its files are large', (repository) => commitFiles(repository, { large: 'x'.repeat(70_000) })],
  [
    'it has a submodule',
    async (repository) => {
      const inner = await gitRepository({ file: 'inner\n' });
      const args = ['submodule', 'add', '--quiet', inner, 'inner'];
      await git(repository, '-c', 'protocol.file.allow=always', ...args);
      return commitFiles(repository, {});
    },
  ],
];

const numbered = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`many/${index}`, `${index}\n`]));

async function commitBytes(repository: string, bytes: Buffer): Promise<void> {
  await writeFile(join(repository, 'bytes'), bytes);
  await commitFiles(repository, {});
}

test.each(leftToGit)('git lays out a commit when %s', async (_what, add) => {
  const { repository, settle } = await start({
    'play.yml': `${whoWroteIt}git status --porcelain\n`,
  });
  await add(repository);
  await settle();
  expect(await settle()).toMatch(/by git$/);
});

const signal = new AbortController().signal;

async function committed(files: Record<string, string>) {
  const { config } = await testRunner();
  const repository = await gitRepository(files);
  const hash = await git(repository, 'rev-parse', 'HEAD');
  const content: Content = {
    objects: join(repository, '.git/objects'),
    hash,
    refs: '',
    shallow: '',
  };
  const dir = await folder();
  const options = { config, env: {}, workspace: { dir, user: null } };
  const keep = (changes: Partial<Content> = {}) =>
    keepSmall(config, { ...content, ...changes }, signal);
  return { repository, content, options, keep, target: join(dir, 'target') };
}

test('an object that somebody has replaced is not kept', async () => {
  const { repository, content, options, keep, target } = await committed({ a: 'a\n', b: 'b\n' });
  const [one, other] = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const id = await git(repository, 'rev-parse', `HEAD:${name}`);
      return join(content.objects, id.slice(0, 2), id.slice(2));
    }),
  );
  await rm(one ?? '');
  await copyFile(other ?? '', one ?? '');
  await keep();
  expect(isKnown(content)).toBe(true);
  expect(await layOutSmall(content, target, options)).toBe(false);
});

test('a repository that was removed meanwhile is no error, one that is broken is', async () => {
  const { repository, content, keep } = await committed({ a: 'a\n' });
  await expect(keep({ hash: '1'.repeat(40) })).rejects.toThrow('not a tree object');
  await rm(repository, { recursive: true });
  await mkdir(dirname(repository), { recursive: true });
  await keep();
  expect(isKnown(content)).toBe(false);
});

test('attributes of a home folder do not count for a checkout', async () => {
  const { repository } = await committed({ 'a.txt': 'a\n' });
  const home = await folder();
  await mkdir(join(home, '.config/git'), { recursive: true });
  await writeFile(join(home, '.config/git/attributes'), '*.txt eol=crlf\n');
  const at = { cwd: repository, env: { HOME: home }, user: null };
  expect(await safeGit(['check-attr', 'eol', '--', 'a.txt'], at)).toBe('a.txt: eol: unspecified\n');
});

test('files that cannot be written are left to git, and nothing of them stays', async () => {
  const { content, options, keep, target } = await committed({ a: 'a\n', b: 'b\n' });
  await keep();
  await mkdir(join(target, 'b'), { recursive: true });
  expect(await layOutSmall(content, target, options)).toBe(false);
  expect(existsSync(target)).toBe(false);
  expect(await layOutSmall(content, target, options)).toBe(true);
});

test('the modes are those of git, also under a strict umask', async () => {
  const files = { 'folder/file': 'a\n', program: 'b\n' };
  const { repository, content, options, keep } = await committed(files);
  await chmod(join(repository, 'program'), 0o755);
  const hash = await commitFiles(repository, {});
  const next = { ...content, hash };
  await keep({ hash });
  const modesUnder = async (umask: number) => {
    const target = join(options.workspace.dir, `target-${umask}`);
    const before = process.umask(umask);
    try {
      await layOutSmall(next, target, options);
    } finally {
      process.umask(before);
    }
    const paths = ['folder', 'folder/file', 'program'].map((name) => join(target, name));
    return Promise.all(paths.map(async (path) => ((await stat(path)).mode & 0o777).toString(8)));
  };
  // Git has the usual umask when that of the runner is strict.
  expect(await modesUnder(0o077)).toEqual(['755', '644', '755']);
  expect(await modesUnder(0o022)).toEqual(['755', '644', '755']);
  expect(await modesUnder(0o002)).toEqual(['775', '664', '775']);
});

test('only the commits that were used last are kept', async () => {
  const { repository, content, options, keep, target } = await committed({ file: 'one\n' });
  const hashes: string[] = [];
  for (let count = 0; count < 20; count += 1) {
    hashes.push(await commitFiles(repository, { file: `${count}\n` }));
  }
  await keep();
  for (const hash of hashes.slice(0, 15)) await keep({ hash });
  await layOutSmall(content, target, options);
  for (const hash of hashes.slice(15)) await keep({ hash });
  const isKept = (hash = '') => isKnown({ ...content, hash });
  expect([content.hash, hashes[4], hashes[5]].map(isKept)).toEqual([true, false, true]);
  forgetSmall((objects) => objects === content.objects);
  expect([content.hash, hashes[5]].map(isKept)).toEqual([false, false]);
});

test('commits are forgotten with their objects, and when the caches are cleared', async () => {
  const { runner, run, settle } = await start({ 'play.yml': whoWroteIt });
  await settle();
  expect(await run()).toContain('by the runner');
  await removeSpares(runner.config);
  expect(await settle()).toContain('by git');
  expect(await run()).toContain('by the runner');
  await rm(join(runner.config.dataDir, 'mirrors'), { recursive: true });
  await sweepSpares(runner.config);
  expect(await run()).toContain('by git');
});
