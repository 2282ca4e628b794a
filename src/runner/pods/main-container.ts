// The side-car's view of the main container: starts programs in it, and finds out how they have ended.

import { watch } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProgramOfRun } from '../execution/execution.ts';
import { readSmallFile } from '../../node/fs/small-file.ts';
import { eventsOf } from '../programs/control-group.ts';
import { identityOf, isAlive, parseIdentity } from '../programs/identity.ts';
import { markName } from '../programs/processes.ts';
import { runTool, type Command, type ToolResult } from '../programs/process.ts';
import { inBraces, quoted, surroundings, words } from '../programs/shell.ts';
import { mainFiles } from './main-script.ts';

export interface MainContainer {
  folder: string;
  /** The variable of its image. */
  path: string;
}

const lookMs = 200;

/** Settles when the main container waits for requests, which takes as long as the cluster needs for its image. */
export async function untilMainIsReady(
  folder: string,
  signal: AbortSignal,
): Promise<MainContainer> {
  await mkdir(folder, { recursive: true });
  const changes = watch(folder, { signal });
  changes.on('error', () => undefined);
  for (;;) {
    signal.throwIfAborted();
    const ready = readReady(folder);
    if (ready) {
      changes.close();
      return { folder, path: ready.path };
    }
    // A change between look and wait would go unnoticed.
    const late = new AbortController();
    await Promise.race([
      new Promise((resolve) => changes.once('change', resolve)),
      delay(lookMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
  }
}

/** Whether the main container has begun. */
export const isMainReady = (folder: string): boolean => readReady(folder) !== null;

function readReady(folder: string): { pid: number; path: string } | null {
  const text = readSmallFile(join(folder, mainFiles.ready));
  if (text === null) return null;
  const [pid = '', ...path] = text.trimEnd().split(' ');
  return { pid: Number(pid), path: path.join(' ') };
}

/** Puts the script of supervisors where the main container finds it. */
export async function giveSupervisor(folder: string, script: string): Promise<void> {
  // The main container may not have begun.
  await mkdir(folder, { recursive: true });
  await copyFile(script, join(folder, mainFiles.supervisor));
}

/** A command that writes its input into a pipe, once the other end is open. */
const toPipe = (script: string, ...args: string[]): Omit<Command, 'cwd'> => ({
  command: '/bin/sh',
  args: ['-c', script, ...args],
  env: { PATH: '/usr/bin:/bin' },
});

/** Starts a supervisor in the main container, whose waiting shell reads the input of this command. */
export const supervisorIn = (
  { folder }: MainContainer,
  { step, mark }: { step: string; mark: string },
): Command => ({
  ...toPipe(
    'mkfifo -m 600 "$0/input" && echo step "$0" "$2" >"$1" && exec cat >"$0/input"',
    step,
    join(folder, mainFiles.requests),
    mark,
  ),
  cwd: step,
});

/** Runs a short program in the main container, with an environment of its own. */
export async function runInMain(
  { folder }: MainContainer,
  { outputLimit, ...command }: ProgramOfRun & { mark: string; dir: string },
  signal?: AbortSignal,
  onError?: (text: string) => void,
): Promise<ToolResult> {
  const tool = await mkdtemp(join(command.dir, 'tool-'));
  const { mark, ...program } = command;
  const env = { ...program.env, [markName]: mark };
  const input = inBraces(
    `echo "$$" >${quoted(join(tool, 'pid'))}`,
    ...surroundings({ ...program, env }),
    `exec ${words(program)} </dev/null`,
  );
  const script = `mkfifo -m 600 "$0/in" "$0/out" "$0/err" "$0/exit" || exit 125
exec 3<&0
echo tool "$0" >"$1"
cat <&3 >"$0/in" &
cat "$0/out" &
cat "$0/err" >&2
wait
read -r code <"$0/exit" && exit "$code"`;
  const call = toPipe(script, tool, join(folder, mainFiles.requests));
  try {
    return await runTool(
      { ...call, cwd: tool, input, ...(outputLimit && { outputLimit }) },
      signal,
      onError,
    );
  } finally {
    // Killing the shell beside leaves the program.
    if (signal?.aborted) killProgram(tool);
    await rm(tool, { recursive: true, force: true });
  }
}

function killProgram(tool: string): void {
  const pid = Number(readSmallFile(join(tool, 'pid')) ?? 0);
  if (pid <= 1) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Ends the main container. */
export async function endMain(folder: string): Promise<void> {
  if (readReady(folder) && isMainAlive(folder)) {
    await writeFile(join(folder, mainFiles.requests), 'end\n').catch(() => undefined);
  }
}

/** The file in the folder of a run that names the folder of its main container. */
const podFile = 'pod';

export const notePod = (dir: string, { folder }: MainContainer): Promise<void> => {
  const { pid } = readReady(folder) ?? { pid: 0 };
  return writeFile(join(dir, podFile), `${folder}\n${identityOf(pid) ?? ''}\n`, { mode: 0o600 });
};

function notedPod(dir: string): { folder: string; identity: string } | null {
  const [folder, identity = ''] = (readSmallFile(join(dir, podFile)) ?? '').split('\n');
  return folder ? { folder, identity } : null;
}

const isMainAlive = (folder: string): boolean => {
  const { pid } = readReady(folder) ?? { pid: 0 };
  return pid > 0 && identityOf(pid) !== null;
};

/** Whether the main container of a run has ended, so that only the cluster knows why its programs have. */
export function hasMainEnded(dir: string): boolean {
  const noted = notedPod(dir);
  const identity = noted && parseIdentity(noted.identity);
  return noted !== null && (identity === null || !isAlive(identity));
}

/** Whether the kernel has killed programs of the run's main container for their memory. */
export function isOutOfMemory(dir: string): boolean {
  const noted = notedPod(dir);
  const { pid } = (noted && readReady(noted.folder)) ?? { pid: 0 };
  if (pid === 0) return false;
  // Of control groups of version 2 and 1.
  const files = ['memory.events', 'memory/memory.oom_control'];
  return files.some((name) => eventsOf(`/proc/${pid}/root/sys/fs/cgroup/${name}`, 'oom_kill') > 0);
}
