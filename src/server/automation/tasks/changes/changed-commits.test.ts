// With the real git.

import { expect, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import type { Task } from '#shared/api/tasks.ts';
import {
  changeInventory,
  comparedTasks,
  failed,
} from '../../../../../test/helpers/compared-tasks.ts';
import { commitFiles, git } from '../../../../../test/helpers/seed.ts';

async function withGit() {
  const made = await comparedTasks();
  const { app, seed } = made;
  const { git_url: path } = await app.admin.call(repositories.one, {
    params: { project_id: seed.projectId, repository_id: seed.repositoryId },
  });
  const head = () => git(path, 'rev-parse', 'HEAD');
  const between = async (task: Task) => (await made.changes(task)).changes[0];
  return { ...made, path, head, between };
}

test('commits between both tasks are told, the newest first', async () => {
  const { path, run, head, between } = await withGit();
  const first = await head();
  await run({ commit: first });
  const second = await commitFiles(path, { 'a.txt': 'a' }, 'Add a\u001b[31m file\u202e');
  const third = await commitFiles(path, { 'b.txt': 'b' }, 'Add b\n\nThe reason.');
  const ahead = await between(await run({ ...failed, commit: third }));
  expect(ahead).toMatchObject({
    kind: 'commits',
    before: first,
    after: third,
    range: {
      added: 2,
      removed: 0,
      commits: [
        { hash: third, author: 'Test', subject: 'Add b', url: null },
        { hash: second, author: 'Test', subject: 'Add a [31m file' },
      ],
    },
  });
  await run({ commit: third });
  const behind = await between(await run({ ...failed, commit: second }));
  expect(behind?.range).toMatchObject({ added: 0, removed: 1, commits: [{ hash: third }] });
});

test('commits of a branch that was rewritten are told as such', async () => {
  const { path, run, head, between } = await withGit();
  const first = await head();
  const second = await commitFiles(path, { 'a.txt': 'a' });
  await run({ commit: second });
  // The mirror has the old commit from a run of it.
  await between(await run({ ...failed, commit: first }));
  await git(path, 'reset', '--quiet', '--hard', first);
  const other = await commitFiles(path, { 'a.txt': 'other' }, 'Rewritten');
  const diverged = await between(await run({ ...failed, commit: other }));
  expect(diverged?.range).toMatchObject({
    added: 1,
    removed: 1,
    commits: [{ hash: other, subject: 'Rewritten' }],
  });
});

test('commits that are not known any more leave the rest of the answer as it is', async () => {
  const { app, seed, run, head, told, between } = await withGit();
  const gone = 'a'.repeat(40);
  await run({ commit: gone });
  await changeInventory(app, seed, 'web1\n');
  const now = await head();
  const task = await run({ ...failed, commit: now });
  expect(await between(task)).toMatchObject({ before: gone, after: now, range: null });
  expect((await told(task)).map(([kind]) => kind)).toEqual(['commits', 'host', 'host']);
  // The beginning of a hash names no commit for certain.
  expect((await between(await run({ ...failed, commit: now.slice(0, 8) })))?.range).toBeNull();
});
