// The runner's side of a supervised program: starts it, finds it again, follows its output, and ends it
// with all processes that it has started.

import { link, readdir, rm, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  controlGroupOf,
  limitsReached,
  makeControlGroup,
  type LimitsReached,
} from '../programs/control-group.ts';
import type { TaskLimits } from '../programs/task-limits.ts';
import { endHelpers } from '../programs/helpers.ts';
import { isAlive, parseIdentity, type Identity } from '../programs/identity.ts';
import { killTree, signalTree, type Tree } from '../programs/process-tree.ts';
import { markName } from '../programs/processes.ts';
import { readSmallFile } from '../system/small-file.ts';
import { setprivPath, startListening, type Command } from '../programs/process.ts';
import { followSpool } from '../log/spool.ts';
import { exportsOf, startText } from './start-text.ts';
import { isStep, makeStep, ownerOf, type Workspace } from '../workspace/workspace.ts';

const script = fileURLToPath(new URL('supervisor.sh', import.meta.url));

const graceMs = 10_000;
const longestStartMs = 10_000;

/** A supervisor that waits for its program. */
export interface Supervisor {
  /** The folder of this try to start the program. */
  folder: string;
  /** Starts the program, which goes on when the runner ends. */
  start: (command: Command) => Promise<void>;
  /** Ends the supervisor, unless it has a program. */
  dismiss: () => void;
}

/** Starts a supervisor for the program of a step, within these limits. */
export async function startSupervisor(
  workspace: Workspace,
  step: number,
  limits: TaskLimits,
): Promise<Supervisor> {
  const { mark } = workspace;
  const folder = await makeStep(workspace, step);
  await makeControlGroup(folder, mark, limits);
  const env = { [markName]: mark };
  const shell = { command: '/bin/sh', args: [script, folder], cwd: folder, env };
  const { send, close } = startListening(shell);
  return {
    folder,
    async start(command) {
      const name = basename(folder);
      send(startText(folder, workspace.user ? await asUser(workspace, name, command) : command));
    },
    dismiss: close,
  };
}

/**
 * The command that runs a program as another user. Its supervisor runs as the runner's user, so that
 * the program cannot write its own exit code. What the supervisor starts must not get the environment
 * of the program, which could change what it does. The program reads its environment from a file after
 * the change of the user.
 */
async function asUser(
  { user, writeSecret }: Workspace,
  name: string,
  { command, args, cwd, env }: Command,
): Promise<Command> {
  const file = await writeSecret(`${name}.env`, `${exportsOf(env).join('\n')}\n`);
  const drop = [`--reuid=${user?.uid}`, `--regid=${user?.gid}`, '--clear-groups'];
  const lose = ['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'];
  const start = ['/bin/sh', '-c', 'umask 022; . "$0"; exec "$@"', file, command, ...args];
  return {
    command: setprivPath ?? 'setpriv',
    args: [...drop, ...lose, '--', ...start],
    cwd,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  };
}

/** A file of the supervisor, which has just written it. */
const readEntry = (folder: string, name: string): string | null =>
  readSmallFile(join(folder, name));

function readIdentity(folder: string, name: string): Identity | null {
  const text = readEntry(folder, name);
  return text === null ? null : parseIdentity(text);
}

/**
 * Takes the right to start the program of the folder. False: a supervisor has it, and the program
 * has run or will run. True also when an earlier runner had taken the right and then ended.
 */
async function giveUp(folder: string): Promise<boolean> {
  const claim = join(folder, 'claimed');
  const own = `${claim}.server`;
  await writeFile(own, ofServer);
  try {
    // A link makes the file together with its content, and fails if it exists.
    await link(own, claim);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readEntry(folder, 'claimed') === ofServer;
  } finally {
    await rm(own, { force: true });
  }
}

const ofServer = 'server\n';

/** The try whose program was or will be started; null: none was, and from now on none will be. */
export async function findBegun(tries: string[]): Promise<string | null> {
  for (const folder of tries) if (!(await giveUp(folder))) return folder;
  return null;
}

type End = { exitCode: number } | 'lost' | null;

interface Followed {
  folder: string;
  startedAt: number;
  /** Read once, since it does not change; null: it was not there yet. */
  supervisor: Identity | null;
}

/** How the program has ended; null: it still runs. */
function readEnd(followed: Followed): End {
  const { folder, startedAt } = followed;
  followed.supervisor ??= readIdentity(folder, 'supervisor');
  const { supervisor } = followed;
  const isThere = supervisor ? isAlive(supervisor) : Date.now() - startedAt < longestStartMs;
  // The order matters: a supervisor that has ended has written the exit code before, or never will.
  const exit = readEntry(folder, 'exit');
  if (exit !== null && exit.trim() !== '') return { exitCode: Number(exit) };
  return isThere ? null : 'lost';
}

function treeOf(folder: string, mark: string): Tree {
  const supervisor = readIdentity(folder, 'supervisor');
  return { ...treeOfAll([folder], mark, dirname(folder)), except: supervisor?.pid ?? null };
}

/** All processes of a run, the supervisors too; `folders` are those of its steps, `dir` that of the run. */
function treeOfAll(folders: string[], mark: string, dir: string): Tree {
  const { user, isAlone } = ownerOf(dir);
  const tree: Tree = {
    mark,
    groups: [],
    controlGroups: [],
    except: null,
    uid: user && isAlone ? user.uid : null,
  };
  for (const folder of folders) {
    const child = readIdentity(folder, 'child');
    if (child) tree.groups.push(child.pid);
    const group = controlGroupOf(folder);
    if (group !== null) tree.controlGroups.push(group);
  }
  return tree;
}

/** Kills all processes of a run, the supervisors too. */
export async function endRun(dir: string, mark: string): Promise<void> {
  const names = (await readdir(dir).catch(() => [])).filter(isStep);
  const folders = names.map((name) => join(dir, name));
  await killTree(treeOfAll(folders, mark, dir));
  await endHelpers(dir);
}

export interface ProgramResult {
  /** Null: not known, because its supervisor has ended without one. */
  exitCode: number | null;
  signal: string | null;
  /** Whether the supervisor has ended without an exit code. */
  isLost: boolean;
  /** The limits that its programs have reached. */
  reached: LimitsReached;
}

export interface Program {
  /**
   * Settles when the program has ended and `onLines` has received its whole output. Null: it was detached
   * before, and the next runner reads the rest.
   */
  result: Promise<ProgramResult | null>;
  /** Sends TERM, and KILL after the grace time; with `force` KILL at once. */
  stop: (force: boolean) => void;
}

export interface Follow {
  folder: string;
  mark: string;
  /** The byte of the spool to begin at. */
  from: number;
  onLines: (lines: string[], offset: number) => Promise<void>;
  /** Gets the text of the last line while it has no end; null: it is too long. Called often. */
  onPartial: (text: () => string | null) => void;
  /** Leaves the program running when it fires; the next runner follows it. */
  detach: AbortSignal;
}

/** Follows a supervised program, which this runner or an earlier one has started. */
export function attach(options: Follow): Program {
  const { folder, mark, from, onLines, onPartial, detach } = options;
  const followed: Followed = { folder, startedAt: Date.now(), supervisor: null };
  let killTimer: NodeJS.Timeout | undefined;
  let reached: LimitsReached = { memory: false, processes: false };
  const kill = async (): Promise<void> => {
    await killTree(treeOf(folder, mark));
    await endHelpers(dirname(folder));
  };
  const follow = async (): Promise<ProgramResult | null> => {
    let end: End = null;
    try {
      const isWhole = await followSpool({
        path: join(folder, 'spool'),
        endFile: 'exit',
        from,
        signal: detach,
        onLines,
        onPartial,
        async isOver() {
          if (end !== null) return true;
          end = readEnd(followed);
          if (end === null) return false;
          // Its group, which knows this, is removed with the last process.
          reached = limitsReached(controlGroupOf(folder));
          // Processes that the program has left would write on, and nobody would read it.
          await kill();
          return true;
        },
      });
      return isWhole && end !== null ? { ...toResult(end), reached } : null;
    } catch (error) {
      // A program whose log cannot be stored must not go on, unless the next runner follows it.
      if (!detach.aborted) await kill();
      throw error;
    } finally {
      clearTimeout(killTimer);
    }
  };
  return {
    result: follow(),
    stop(force) {
      if (force) void kill();
      if (force || killTimer) return;
      void signalTree(treeOf(folder, mark), 'SIGTERM');
      killTimer = setTimeout(() => void kill(), graceMs);
    },
  };
}

function toResult(end: NonNullable<End>): Omit<ProgramResult, 'reached'> {
  if (end === 'lost') return { exitCode: null, signal: null, isLost: true };
  const signal = end.exitCode > 128 ? signalName(end.exitCode - 128) : null;
  return { exitCode: end.exitCode, signal, isLost: false };
}

function signalName(number: number): string | null {
  const known = Object.entries(constants.signals).find(([, value]) => value === number);
  return known?.[0] ?? null;
}
