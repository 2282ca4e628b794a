// The runner's side of a supervised program: starts it, finds it again, follows its output, and ends it with all of its
// processes.

import { link, readdir, rm, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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
import { killTree, type Tree } from '../programs/process-tree.ts';
import { markName } from '../programs/processes.ts';
import type { Execution } from '../execution/execution.ts';
import { readSmallFile } from '../../node/fs/small-file.ts';
import {
  endOfContainer,
  hasContainers,
  mainInContainer,
  removeContainers,
  type ContainerEnd,
} from '../containers/left.ts';
import { hasMainEnded, isOutOfMemory } from '../pods/main-container.ts';
import { setprivPath, startListening, type Command } from '../programs/process.ts';
import { followSpool, type Spool } from '../log/spool.ts';
import { exportsOf } from '../programs/shell.ts';
import { relayedStartText, relayText, startText } from './start-text.ts';
import { stopFile, stopProcesses } from './stopping.ts';
import {
  isStep,
  makeStep,
  ownerOf,
  secretFolderName,
  type Workspace,
} from '../workspace/workspace.ts';

/** The file of the shell script that supervises a program. */
export const supervisorScript = fileURLToPath(new URL('supervisor.sh', import.meta.url));

const MAX_START_MS = 10_000;

/** How long the end of a pod's main container may take to have a reason. */
const MAX_REASON_MS = 60_000;

/** A supervisor that waits for its program. */
export interface Supervisor {
  /** The folder of this attempt to start the program. */
  folder: string;
  /** Starts the program, which outlives the runner. */
  start: (command: Command) => Promise<void>;
  /** Ends a supervisor without a program. */
  dismiss: () => void;
}

export async function startSupervisor(
  workspace: Workspace,
  step: number,
  limits: TaskLimits,
  { relayFor, supervisorFor }: Pick<Execution, 'relayFor' | 'supervisorFor'> = { relayFor: null },
): Promise<Supervisor> {
  const { mark } = workspace;
  const folder = await makeStep(workspace, step);
  if (!supervisorFor) await makeControlGroup(folder, mark, limits);
  const relay = relayFor?.(folder);
  const own = {
    command: '/bin/sh',
    args: [supervisorScript, folder, ...(relay ? ['-c', relayText(relay.command)] : [])],
    cwd: relay?.command.cwd ?? folder,
    env: { ...relay?.command.env, [markName]: mark },
  };
  const { send, close } = startListening(supervisorFor?.(folder) ?? own);
  return {
    folder,
    async start(command) {
      if (relay) return send(relayedStartText(folder, command, relay));
      const name = basename(folder);
      send(startText(folder, workspace.user ? await asUser(workspace, name, command) : command));
    },
    dismiss: close,
  };
}

/**
 * The command that runs a program as another user. Its supervisor runs as the runner's user, so that the program
 * cannot write its own exit code. The environment of the program could change the behaviour of what runs before, so
 * it is read from a file after the user was changed.
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

const readEntry = (folder: string, name: string): string | null =>
  readSmallFile(join(folder, name));

function readIdentity(folder: string, name: string): Identity | null {
  const text = readEntry(folder, name);
  return text === null ? null : parseIdentity(text);
}

/**
 * Claims the start of the folder's program, so that it never starts. False: the supervisor has claimed it, so the
 * program was or will be started. True also if an earlier runner has claimed it.
 */
async function giveUp(folder: string): Promise<boolean> {
  const claim = join(folder, 'claimed');
  const own = `${claim}.server`;
  await writeFile(own, ofServer);
  try {
    // A link creates the file with its content atomically, and fails if it exists.
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

/** The attempt whose program was or will be started; null: none, and none will be. */
export async function findBegun(tries: string[]): Promise<string | null> {
  for (const folder of tries) if (!(await giveUp(folder))) return folder;
  return null;
}

type End = { exitCode: number } | 'lost' | null;

interface Followed {
  folder: string;
  startedAt: number;
  /** Read once, since it does not change; null: not written yet. */
  supervisor: Identity | null;
}

/** Null: the program runs. */
function readEnd(followed: Followed): End {
  const { folder, startedAt } = followed;
  followed.supervisor ??= readIdentity(folder, 'supervisor');
  const { supervisor } = followed;
  const isThere = supervisor ? isAlive(supervisor) : Date.now() - startedAt < MAX_START_MS;
  // Read afterwards: a supervisor that has ended has written the exit code before, or never will.
  const exit = readEntry(folder, 'exit');
  if (exit !== null && exit.trim() !== '') return { exitCode: Number(exit) };
  return isThere ? null : 'lost';
}

/** The program of a step; null: it has not started yet. */
const mainOf = async (folder: string): Promise<Identity | null> =>
  hasContainers(dirname(folder)) ? mainInContainer(folder) : readIdentity(folder, 'child');

function treeOf(folder: string, mark: string): Tree {
  const supervisor = readIdentity(folder, 'supervisor');
  return { ...treeOfAll([folder], mark, dirname(folder)), except: supervisor?.pid ?? null };
}

/** All processes of a run with its supervisors; `folders`: those of its steps, `dir`: that of the run. */
function treeOfAll(folders: string[], mark: string, dir: string): Tree {
  const { user, isAlone } = ownerOf(dir);
  const tree: Tree = {
    mark,
    folders: [mark, secretFolderName(mark)],
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

/** Stops the programs of a run that no runner follows, and kills all of its processes. False: the signal fired. */
export async function stopRun(dir: string, mark: string, signal: AbortSignal): Promise<boolean> {
  const stop = async (folder: string): Promise<void> => {
    const main = () => mainOf(folder);
    const tree = (): Tree => treeOf(folder, mark);
    if (readIdentity(folder, 'child')) await stopProcesses({ folder, tree, main, signal });
  };
  await Promise.all((await stepsOf(dir)).map(stop));
  if (!signal.aborted) await endRun(dir, mark);
  return !signal.aborted;
}

const stepsOf = async (dir: string): Promise<string[]> =>
  (await readdir(dir).catch(() => [])).filter(isStep).map((name) => join(dir, name));

/** Kills all processes of a run with its supervisors. */
export async function endRun(dir: string, mark: string): Promise<void> {
  await killTree(treeOfAll(await stepsOf(dir), mark, dir));
  await endHelpers(dir);
  await removeContainers(dir);
}

export interface ProgramResult {
  /** Null: unknown, because the supervisor has ended without one. */
  exitCode: number | null;
  signal: string | null;
  /** Whether the supervisor has ended without an exit code. */
  isLost: boolean;
  /** The limits that were reached. */
  reached: LimitsReached;
  /** Whether processes were killed that did not end in time after TERM. */
  isKilled: boolean;
  /** How its container has ended; null: it had none. */
  container: ContainerEnd | null;
  /** Whether its processes had no control group, so that one that hid may not have been found. */
  isLoose: boolean;
}

export interface Program {
  /** Settles when the program has ended and `onLines` has received its output. Null: it was detached before. */
  result: Promise<ProgramResult | null>;
  /** Stops its processes one after the other (`stopping.ts`); with `force` kills them. */
  stop: (force: boolean) => void;
}

export interface Follow extends Pick<Spool, 'from' | 'onLines' | 'onPartial'> {
  folder: string;
  mark: string;
  /** Leaves the program to the next runner. */
  detach: AbortSignal;
}

/** Follows a supervised program of this runner or an earlier one. */
export function attach(options: Follow): Program {
  const { folder, mark, from, onLines, onPartial, detach } = options;
  const followed: Followed = { folder, startedAt: Date.now(), supervisor: null };
  let reached: LimitsReached = { memory: false, processes: false };
  let container: ContainerEnd | null = null;
  const isLoose = controlGroupOf(folder) === null;
  const stop = createStop(folder, mark, detach);
  const follow = async (): Promise<ProgramResult | null> => {
    let end: End = null;
    let isSwept = false;
    try {
      const isWhole = await followSpool({
        path: join(folder, 'spool'),
        endFiles: ['exit', stopFile],
        from,
        signal: detach,
        onLines,
        onPartial,
        async isOver() {
          if (isSwept) return true;
          if (end === null) {
            end = readEnd(followed);
            if (end === null) return false;
            // Its control group, which has this state, is removed with the last process.
            reached = limitsReached(controlGroupOf(folder));
            if (end !== 'lost') container = await endOfContainer(folder, end.exitCode);
            const dir = dirname(folder);
            if (container?.isOutOfMemory || isOutOfMemory(dir)) reached.memory = true;
            // The runner learns from the cluster why, and ends the task.
            if (end === 'lost' && hasMainEnded(dir)) {
              await delay(MAX_REASON_MS, null, { signal: detach }).catch(() => undefined);
            }
          }
          // A stop in progress gives the other processes time, maybe in the next runner.
          if (detach.aborted || stop.isGoing()) return false;
          // Processes that outlive the program would write output that is not read.
          await stop.kill();
          isSwept = true;
          return true;
        },
      });
      if (!isWhole || end === null) return null;
      return { ...toResult(end), reached, container, isKilled: stop.isKilled(), isLoose };
    } catch (error) {
      // A program whose log cannot be stored must not continue, unless the next runner follows it.
      if (!detach.aborted) await stop.end();
      throw error;
    }
  };
  return {
    result: follow(),
    stop: (force) => void (force ? stop.kill() : stop.begin()),
  };
}

function createStop(folder: string, mark: string, detach: AbortSignal) {
  const killing = new AbortController();
  let stopping: Promise<void> | null = null;
  let isGoing = false;
  let isKilled = false;
  const stopAll = (): Promise<boolean> =>
    stopProcesses({
      folder,
      tree: () => treeOf(folder, mark),
      main: () => mainOf(folder),
      signal: AbortSignal.any([detach, killing.signal]),
    });
  const run = async (): Promise<void> => {
    isGoing = true;
    // A program of the runner's own user may have overwritten the record of its stop.
    isKilled = await stopAll().catch(() => killTree(treeOf(folder, mark)));
    isGoing = false;
  };
  const begin = (): Promise<void> => (stopping ??= run());
  const kill = async (): Promise<void> => {
    killing.abort();
    await stopping;
    await killTree(treeOf(folder, mark));
    await endHelpers(dirname(folder));
  };
  return {
    begin,
    kill,
    /** Settles when all processes have ended, or the next runner continues. */
    async end() {
      await begin();
      if (!detach.aborted) await kill();
    },
    isGoing: () => isGoing,
    isKilled: () => isKilled,
  };
}

type Code = Pick<ProgramResult, 'exitCode' | 'signal' | 'isLost'>;

function toResult(end: NonNullable<End>): Code {
  if (end === 'lost') return { exitCode: null, signal: null, isLost: true };
  const signal = end.exitCode > 128 ? signalName(end.exitCode - 128) : null;
  return { exitCode: end.exitCode, signal, isLost: false };
}

function signalName(number: number): string | null {
  const known = Object.entries(constants.signals).find(([, value]) => value === number);
  return known?.[0] ?? null;
}
