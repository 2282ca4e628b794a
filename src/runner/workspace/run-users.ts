// Assigns each task a system user for its programs. Each of several users has one task at a time, so that all processes
// and files that a task leaves are found by their user.

import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigError } from '../../node/config-error.ts';
import { stateOf } from '../../node/async/state-of.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { isPool, taskUsers, type RunUser } from '../../node/process/run-users.ts';
import { runTool, setprivPath } from '../programs/process.ts';

interface Pool {
  taken: Set<number>;
  waiting: (() => void)[];
}

const poolOfUsers = stateOf((_users: RunUser[]): Pool => ({ taken: new Set(), waiting: [] }));
const poolOf = ({ runAs }: RunnerConfig): Pool => poolOfUsers(runAs);

/** Waits for a free user and reserves it for a task; null: tasks run as the runner's user. */
export async function takeUser(config: RunnerConfig, signal: AbortSignal): Promise<RunUser | null> {
  const users = taskUsers(config.runAs);
  if (!isPool(config.runAs)) return users[0] ?? null;
  const { taken, waiting } = poolOf(config);
  for (;;) {
    signal.throwIfAborted();
    const free = users.find(({ uid }) => !taken.has(uid));
    if (free) {
      taken.add(free.uid);
      return free;
    }
    await untilWoken(waiting, signal);
  }
}

const untilWoken = (waiting: Pool['waiting'], signal: AbortSignal): Promise<void> =>
  new Promise<void>((resolve) => {
    waiting.push(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Waits until no task has this user. */
export async function untilReleased(
  config: RunnerConfig,
  uid: number,
  signal: AbortSignal,
): Promise<void> {
  const { taken, waiting } = poolOf(config);
  while (taken.has(uid)) {
    signal.throwIfAborted();
    await untilWoken(waiting, signal);
  }
}

/** Reserves a user for a task of an earlier runner. */
export function reserveUser(config: RunnerConfig, user: RunUser | null): void {
  if (user) poolOf(config).taken.add(user.uid);
}

export function releaseUser(config: RunnerConfig, user: RunUser | null): void {
  const { taken, waiting } = poolOf(config);
  if (user) taken.delete(user.uid);
  for (const wake of waiting.splice(0)) wake();
}

export const isTaken = (config: RunnerConfig, uid: number): boolean =>
  poolOf(config).taken.has(uid);

/** The user of inspections; null: the runner's user. */
export const lookUser = ({ runAs }: RunnerConfig): RunUser | null => runAs.at(-1) ?? null;

/** Makes a user the owner of a folder and all its files, or with null root; links are not followed. */
export async function giveFolder(path: string, user: RunUser | null): Promise<void> {
  const owner = user ? `${user.uid}:${user.gid}` : '0:0';
  await asServer('chown', ['-hR', owner, '--', path]);
}

/** Removes the files of a task in shared folders and in the home of its user. */
export async function sweepUser(user: RunUser): Promise<void> {
  const places = ['/tmp', '/var/tmp', '/dev/shm'].filter((place) => existsSync(place));
  const rest = ['-xdev', '-depth', '-mindepth', '1', '-user', String(user.uid), '-delete'];
  const args = [...places, user.home, ...rest];
  await runTool({ command: 'find', args, cwd: '/', env: serverEnvironment });
}

const serverEnvironment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' };

/** Runs a program with the rights of the runner. The programs used here follow no links. */
export async function asServer(command: string, args: string[]): Promise<void> {
  const result = await runTool({ command, args, cwd: '/', env: serverEnvironment });
  if (result.exitCode === 0) return;
  throw new Error(result.failure ?? `${command} failed: ${result.stderr.trim()}`);
}

/** Folders that users may pass through but not list: they can open files whose names they know. */
const passable = 'runs mirrors galaxy venvs environments terraform facts homes repositories'.split(
  ' ',
);

const hardlinkSetting = '/proc/sys/fs/protected_hardlinks';

/**
 * Sets the permissions of the data folder, and throws when SIGNALBOX_RUN_AS cannot work here. `hardlinks`: the file
 * with the system's protection of hard links.
 */
export async function prepareIsolation(
  config: RunnerConfig,
  hardlinks = hardlinkSetting,
): Promise<void> {
  if (config.runAs.length === 0) return;
  if (process.getuid?.() !== 0) {
    throw new ConfigError(
      'SIGNALBOX_RUN_AS needs a server that runs as root, since only root can become another ' +
        'user. Start it as root, or leave the setting out.',
    );
  }
  if (setprivPath === null) {
    throw new ConfigError('SIGNALBOX_RUN_AS needs the program setpriv. Install util-linux.');
  }
  await checkHardlinks(hardlinks);
  await closeFiles(config);
  for (const name of passable) {
    await mkdir(join(config.dataDir, name), { recursive: true });
    await chmod(join(config.dataDir, name), 0o711);
  }
  await chmod(config.dataDir, 0o711);
  for (const user of config.runAs) {
    await checkHome(user);
    await checkWay(config, user);
  }
}

/** Restricts the files of the data folder to the runner; called again when more files were created. */
export async function closeFiles({ dataDir, runAs }: RunnerConfig): Promise<void> {
  if (runAs.length === 0) return;
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name);
    const mode = (await stat(path)).isDirectory() ? 0o700 : 0o600;
    if (!passable.includes(name)) await chmod(path, mode);
  }
}

/** Without this protection a task could link another user's file into a folder whose files become its own. */
async function checkHardlinks(file: string): Promise<void> {
  const value = await readFile(file, 'utf8').catch(() => '1');
  if (value.trim() !== '0') return;
  throw new ConfigError(
    'SIGNALBOX_RUN_AS needs a system that keeps users from making hard links to files of others. ' +
      'Switch that on: sysctl -w fs.protected_hardlinks=1, and put "fs.protected_hardlinks = 1" ' +
      'into a file in /etc/sysctl.d so that it stays.',
  );
}

async function checkHome({ name, uid, home }: RunUser): Promise<void> {
  const found = await stat(home).catch(() => null);
  if (found?.isDirectory() && found.uid === uid) return;
  throw new ConfigError(
    `The user ${name} of SIGNALBOX_RUN_AS has no home folder of its own, which Ansible needs: ` +
      `install -d -m 700 -o ${name} ${home}`,
  );
}

/** Throws when a folder above the data folder is not accessible for the user. */
async function checkWay({ dataDir }: RunnerConfig, user: RunUser): Promise<void> {
  const args = ['-d', '--', join(dataDir, 'runs', '.')];
  const tool = { command: 'ls', args, cwd: '/', env: serverEnvironment, user };
  const { exitCode } = await runTool(tool);
  if (exitCode === 0) return;
  throw new ConfigError(
    `The user ${user.name} of SIGNALBOX_RUN_AS cannot reach the data folder ${dataDir}. A folder ` +
      `above it is closed to others: chmod o+x ${dirname(dataDir)}, or move the data folder.`,
  );
}
