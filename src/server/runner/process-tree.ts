// All processes of a run: the group of its program, and whatever carries its mark in the
// environment, so that children which left the group with a session of their own are found too.

import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { statOf } from './identity.ts';

/** Environment variable that every process of a run inherits. */
export const markName = 'SIGNALBOX_RUN';

export interface Tree {
  mark: string;
  /** The group that the program leads, when it has been started. */
  group: number | null;
  /** The supervisor, which carries the mark but must write the exit code. */
  except: number | null;
}

async function members({ mark, group, except }: Tree): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => null);
  // Without /proc there is only the group, which a negative pid names.
  if (!entries) return group === null ? [] : [-group];
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number);
  const wanted = Buffer.from(`${markName}=${mark}\0`);
  const found = await Promise.all(
    pids.map(async (pid) => {
      if (pid === except || pid === process.pid) return null;
      const stat = await statOf(pid);
      if (!stat || stat.state === 'Z') return null;
      if (group !== null && stat.group === group) return pid;
      const environment = await readFile(`/proc/${pid}/environ`).catch(() => null);
      if (environment?.includes(wanted)) return pid;
      const title = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
      return isConnection(title, mark) ? pid : null;
    }),
  );
  return found.filter((pid) => pid !== null);
}

/**
 * ssh keeps a connection for later commands in a process of its own, whose title, the path of its
 * socket in the run's folder, takes the place of its environment.
 */
const isConnection = (title: string, mark: string): boolean =>
  title.startsWith('ssh: ') && title.includes(`/${mark}/`);

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended meanwhile, or belongs to another user and is not ours to end.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

export async function signalTree(tree: Tree, signal: NodeJS.Signals): Promise<void> {
  for (const pid of await members(tree)) send(pid, signal);
}

// A process that forks while we look is found in the next round.
const rounds = 50;

/** Kills until nothing is left. False: something could not be killed. */
export async function killTree(tree: Tree): Promise<boolean> {
  for (let round = 0; round < rounds; round += 1) {
    const pids = await members(tree);
    if (pids.length === 0) return true;
    for (const pid of pids) send(pid, 'SIGKILL');
    await delay(round < 10 ? 5 : 50);
  }
  return false;
}
