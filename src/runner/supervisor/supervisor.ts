// The server's side of a supervised program: starts it, finds it again, follows what it
// prints, ends it with everything it started.

import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { controlGroupOf, makeControlGroup } from '../programs/control-group.ts';
import { endHelpers } from '../programs/helpers.ts';
import { isAlive, parseIdentity, type Identity } from '../programs/identity.ts';
import { killTree, signalTree, type Tree } from '../programs/process-tree.ts';
import { markName } from '../programs/processes.ts';
import { quoted } from '../programs/shell.ts';
import { setprivPath, startDetached, type Command } from '../programs/process.ts';
import { followSpool } from '../log/spool.ts';
import { isStep, ownerOf, type Workspace } from '../workspace/workspace.ts';

const script = fileURLToPath(new URL('supervisor.sh', import.meta.url));

// Milliseconds.
const graceTime = 10_000;
const startLimit = 10_000;

/** Starts the program under a supervisor that outlives us. */
export async function superviseCommand(
  folder: string,
  workspace: SupervisedRun,
  command: Command,
): Promise<void> {
  const { mark, user } = workspace;
  await makeControlGroup(folder, mark);
  const { args, env } = user
    ? await asUser(workspace, basename(folder), command)
    : { args: [command.command, ...command.args], env: command.env };
  startDetached({
    command: '/bin/sh',
    args: [script, folder, ...args],
    cwd: command.cwd,
    env: { ...env, [markName]: mark },
  });
}

type SupervisedRun = Pick<Workspace, 'mark' | 'user' | 'writeSecret'>;

// Only what is a name to a shell reaches the program, as it does without another user.
const variableName = /^[A-Za-z_]\w*$/;

/**
 * A program of another user. Its supervisor stays ours, so that nobody can write an exit code but
 * us; hence it must see nothing of the environment of the program, which could bend it. That
 * comes in a file, which is read when the rights are gone.
 */
async function asUser(
  { user, writeSecret }: SupervisedRun,
  name: string,
  { command, args, env }: Command,
): Promise<Pick<Command, 'args' | 'env'>> {
  const lines = Object.entries(env)
    .filter(([variable]) => variableName.test(variable))
    .map(([variable, value]) => `export ${variable}=${quoted(value)}\n`);
  const file = await writeSecret(`${name}.env`, lines.join(''));
  const drop = [`--reuid=${user?.uid}`, `--regid=${user?.gid}`, '--clear-groups'];
  const lose = ['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'];
  const start = ['/bin/sh', '-c', 'umask 022; . "$0"; exec "$@"', file, command, ...args];
  return {
    args: [setprivPath ?? 'setpriv', ...drop, ...lose, '--', ...start],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  };
}

async function readEntry(folder: string, name: string): Promise<string | null> {
  return readFile(join(folder, name), 'utf8').catch(() => null);
}

async function readIdentity(folder: string, name: string): Promise<Identity | null> {
  const text = await readEntry(folder, name);
  return text === null ? null : parseIdentity(text);
}

/**
 * Takes the right to start what is in the folder. False: a supervisor has it, and the
 * program has run or will. True also when a server had taken it and ended before it was done.
 */
async function giveUp(folder: string): Promise<boolean> {
  const claim = join(folder, 'claimed');
  const own = `${claim}.server`;
  await writeFile(own, ofServer);
  try {
    // At once with what it holds, and only if nobody else has made it.
    await link(own, claim);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readEntry(folder, 'claimed')) === ofServer;
  } finally {
    await rm(own, { force: true });
  }
}

const ofServer = 'server\n';

/** The one try whose program has been started or will be; null: none, and from now on none will. */
export async function findBegun(tries: string[]): Promise<string | null> {
  for (const folder of tries) if (!(await giveUp(folder))) return folder;
  return null;
}

type End = { exitCode: number } | 'lost' | null;

/** What is known of the end of a run; null: it goes on. */
async function readEnd(folder: string, startedAt: number): Promise<End> {
  const supervisor = await readIdentity(folder, 'supervisor');
  const isThere = supervisor ? await isAlive(supervisor) : Date.now() - startedAt < startLimit;
  // In this order: a supervisor that is gone has left the exit code before, or never will.
  const exit = await readEntry(folder, 'exit');
  if (exit !== null && exit.trim() !== '') return { exitCode: Number(exit) };
  return isThere ? null : 'lost';
}

async function treeOf(folder: string, mark: string, dir = dirname(folder)): Promise<Tree> {
  const { user, isAlone } = await ownerOf(dir);
  const child = await readIdentity(folder, 'child');
  const supervisor = await readIdentity(folder, 'supervisor');
  return {
    mark,
    group: child?.pid ?? null,
    controlGroup: await controlGroupOf(folder),
    except: supervisor?.pid ?? null,
    uid: user && isAlone ? user.uid : null,
  };
}

/** Kills whatever a run has left, the supervisors too. */
export async function endRun(dir: string, mark: string): Promise<void> {
  for (const name of [...(await readdir(dir).catch(() => [])).filter(isStep), '']) {
    await killTree({ ...(await treeOf(join(dir, name), mark, dir)), except: null });
  }
  await endHelpers(dir);
}

export interface ProgramResult {
  /** Null: not known, because the program was left to itself or was lost. */
  exitCode: number | null;
  signal: string | null;
  /** Its supervisor is gone without a word. */
  isLost: boolean;
}

export interface Program {
  /** Settles when the program has ended and its output has been handed over. */
  result: Promise<ProgramResult>;
  /** TERM, and KILL after the grace time; with `force` KILL at once. */
  stop: (force: boolean) => void;
}

export interface Follow {
  folder: string;
  mark: string;
  /** Byte of the spool to begin with. */
  from: number;
  onLines: (lines: string[], offset: number) => Promise<void>;
  /** Leaves the program to itself: the next server follows it. */
  detach: AbortSignal;
}

/** Follows a supervised program, started by us or by an earlier server. */
export function attach({ folder, mark, from, onLines, detach }: Follow): Program {
  const startedAt = Date.now();
  let killTimer: NodeJS.Timeout | undefined;
  const kill = async (): Promise<void> => {
    await killTree(await treeOf(folder, mark));
    await endHelpers(dirname(folder));
  };
  const follow = async (): Promise<ProgramResult> => {
    let end: End = null;
    try {
      await followSpool({
        path: join(folder, 'spool'),
        from,
        signal: detach,
        onLines,
        async isOver() {
          if (end !== null) return true;
          end = await readEnd(folder, startedAt);
          // What is left of it would write on, and nobody would read it.
          if (end !== null) await kill();
          return end !== null;
        },
      });
      return toResult(end);
    } catch (error) {
      // A log that cannot be stored must not be missed: the program ends with it, unless it is
      // left to whoever comes next.
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
      void treeOf(folder, mark).then((tree) => signalTree(tree, 'SIGTERM'));
      killTimer = setTimeout(() => void kill(), graceTime);
    },
  };
}

function toResult(end: End): ProgramResult {
  const nothing = { exitCode: null, signal: null, isLost: false };
  if (end === null) return nothing;
  if (end === 'lost') return { ...nothing, isLost: true };
  const signal = end.exitCode > 128 ? signalName(end.exitCode - 128) : null;
  return { ...nothing, exitCode: end.exitCode, signal };
}

function signalName(number: number): string | null {
  const known = Object.entries(constants.signals).find(([, value]) => value === number);
  return known?.[0] ?? null;
}
