// The server's side of a supervised program: starts it, finds it again, follows what it
// prints, ends it with everything it started.

import { readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { controlGroupOf, makeControlGroup } from './control-group.ts';
import { endHelpers } from './helpers.ts';
import { isAlive, parseIdentity, type Identity } from './identity.ts';
import { killTree, markName, signalTree, type Tree } from './process-tree.ts';
import { startDetached, type Command } from './process.ts';
import { followSpool } from './log/spool.ts';
import { isStep } from './workspace.ts';

const script = fileURLToPath(new URL('supervisor.sh', import.meta.url));

// Milliseconds.
const graceTime = 10_000;
const startLimit = 10_000;

/** Starts the program under a supervisor that outlives us. */
export async function superviseCommand(
  folder: string,
  mark: string,
  command: Command,
): Promise<void> {
  await makeControlGroup(folder, mark);
  startDetached({
    command: '/bin/sh',
    args: [script, folder, command.command, ...command.args],
    cwd: command.cwd,
    env: { ...command.env, [markName]: mark },
  });
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
  try {
    await symlink('server', claim);
    return true;
  } catch {
    return (await readlink(claim)) === 'server';
  }
}

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
  if (exit !== null) return { exitCode: Number(exit) };
  return isThere ? null : 'lost';
}

async function treeOf(folder: string, mark: string): Promise<Tree> {
  const child = await readIdentity(folder, 'child');
  const supervisor = await readIdentity(folder, 'supervisor');
  return {
    mark,
    group: child?.pid ?? null,
    controlGroup: await controlGroupOf(folder),
    except: supervisor?.pid ?? null,
  };
}

/** Kills whatever a run has left, the supervisors too. */
export async function endRun(dir: string, mark: string): Promise<void> {
  for (const name of [...(await readdir(dir).catch(() => [])).filter(isStep), '']) {
    await killTree({ ...(await treeOf(join(dir, name), mark)), except: null });
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
      // A log that cannot be stored must not be missed: the program ends with it.
      await kill();
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
