// Processes that hide, where no control group holds them.

import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../../test/helpers/processes.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { until } from '../../../test/helpers/until.ts';
import { readSmallFile } from '../../node/fs/small-file.ts';
import { startDetached } from './process.ts';
import {
  killTree,
  listMembers,
  sendSignal,
  type KnownProcesses,
  type Tree,
} from './process-tree.ts';
import { markName } from './processes.ts';

const mark = '4712-abcdef';

/** Starts a shell with the mark in a session of its own; returns the pids that it writes by name. */
async function start(script: string) {
  const place = await folder();
  const { pid } = startDetached({
    command: 'sh',
    args: ['-c', script],
    cwd: place,
    env: { PATH: String(process.env['PATH']), [markName]: mark },
  });
  const pidOf = (name: string) => until(() => Number(readSmallFile(`${place}/${name}`)));
  onTestFinished(() => void (pid && sendSignal(-pid, 'SIGKILL')));
  const tree: Tree = { mark, folders: [], groups: [], controlGroups: [], except: null, uid: null };
  return { pid: pid ?? 0, pidOf, tree };
}

const hidden = (name: string): string =>
  `env -i /usr/bin/setsid -f /bin/sh -c 'echo $$ >${name}; exec /bin/sleep 1000'`;
const below = (name: string): string =>
  `env -i /usr/bin/setsid -w /bin/sh -c 'echo $$ >${name}; exec /bin/sleep 1000'`;

test('a process without the mark in a session of its own is killed with the one that started it', async () => {
  const { pid, pidOf, tree } = await start(`${below('hidden')} & wait; :`);
  const child = await pidOf('hidden');
  expect(await killTree(tree)).toBe(true);
  expect([pid, child].filter(isRunning)).toEqual([]);
});

test('it is still known when the one that started it has ended', async () => {
  const { pid, pidOf, tree } = await start(`${below('hidden')} & wait; :`);
  const child = await pidOf('hidden');
  const known: KnownProcesses = new Map();
  await listMembers(tree, known);
  sendSignal(-pid, 'SIGKILL');
  await until(() => !isRunning(pid));
  const left = (await listMembers(tree, known)).map((one) => one.pid);
  expect(left).toContain(child);
  expect(await killTree(tree, known)).toBe(true);
  expect(isRunning(child)).toBe(false);
});

test('a process without the mark is killed with those of its session that have it', async () => {
  // The middle one ends, so the innermost one has no parent in the tree.
  const { pidOf, tree } = await start(
    `(env -i /bin/sh -c 'echo $$ >left; exec /bin/sleep 1000' &); sleep 1000; :`,
  );
  const left = await pidOf('left');
  expect(await killTree(tree)).toBe(true);
  expect(isRunning(left)).toBe(false);
});

test('processes of others are left alone', async () => {
  const { pidOf } = await start(`${hidden('other')}; :`);
  const other = await pidOf('other');
  const tree: Tree = {
    mark: 'none',
    folders: [],
    groups: [],
    controlGroups: [],
    except: null,
    uid: null,
  };
  expect(await killTree(tree)).toBe(true);
  expect(isRunning(other)).toBe(true);
  sendSignal(other, 'SIGKILL');
});

test('a kept connection of ssh is killed that has its socket in a folder of the run', async () => {
  const { pidOf } = await start(
    `echo $$ >connection; unset ${markName}; exec bash -c 'exec -a "ssh: /run/sbx-1/own/cp/a1 [mux]" sleep 1000'`,
  );
  const connection = await pidOf('connection');
  await until(() => readSmallFile(`/proc/${connection}/cmdline`)?.startsWith('ssh: ') ?? false);
  const tree: Tree = {
    mark: 'none',
    folders: ['sbx-1'],
    groups: [],
    controlGroups: [],
    except: null,
    uid: null,
  };
  expect(await killTree(tree)).toBe(true);
  expect(isRunning(connection)).toBe(false);
});
