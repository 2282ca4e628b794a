// The execution environment of the kind `container`: the programs of an image, in one container for each step.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';
import type { OpenKey } from '../api/run-secrets.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import type { Execution, ProgramOfRun } from '../execution/execution.ts';
import { ExecutionFailed } from '../execution/execution-failed.ts';
import { runTool, type Command, type ToolResult } from '../programs/process.ts';
import { inBraces, quoted, surroundings, words } from '../programs/shell.ts';
import type { HeldLimits, LimitName } from '../programs/task-limits.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { checkOptions, runArguments, type Share } from './arguments.ts';
import { findEngine, type Engine } from './engine.ts';
import { findKnownImage, provideImage, refreshImage, type ImageFacts } from './images.ts';
import {
  containerOf,
  endFile,
  missingFile,
  nameOfRun,
  noteEngine,
  outOfMemoryFile,
  removeContainer,
} from './left.ts';

export interface KnownContainerRequest {
  config: RunnerConfig;
  execution: ExecutionSnapshot;
  /** The limits of the task, by those that the engine can hold; throws if it has to hold more. */
  holdLimits: (able: LimitName[]) => HeldLimits;
  workspace: Workspace;
}

export interface ContainerRequest extends KnownContainerRequest {
  /** The login of the registry. */
  login: OpenKey;
  signal: AbortSignal;
  say: (lines: string[]) => Promise<void>;
}

/** Throws `ExecutionFailed` if the runner has no engine, or the image cannot be used. */
export async function openContainer(request: ContainerRequest): Promise<Execution> {
  const engine = await openEngine(request);
  return openImage(request, engine, await provideImage({ ...request, engine }));
}

/** The same before the keys of the run are opened; null: the image may have to be pulled. */
export async function openKnownContainer(
  request: KnownContainerRequest,
): Promise<Execution | null> {
  const image = await findKnownImage(request.config, request.execution);
  return image && openImage(request, await openEngine(request), image);
}

async function openEngine({ config, execution }: KnownContainerRequest): Promise<Engine> {
  checkOptions(config, execution);
  const engine = await findEngine(config);
  if (!engine) throw new ExecutionFailed('failure.container_engine');
  return engine;
}

async function openImage(
  request: KnownContainerRequest,
  engine: Engine,
  image: ImageFacts,
): Promise<Execution> {
  const { config, execution, workspace } = request;
  const { held: limits, lines: limitLines } = request.holdLimits(engine.limits);
  const own = workspace.ownPath('');
  await noteEngine(workspace.dir, { ...engine, own });
  const shares = new Map<string, Share['access']>([
    [workspace.dir, 'write'],
    [dirname(workspace.secretPath('')), 'write'],
  ]);
  const argumentsOf = (name: string): string[] => {
    const seen = [...shares].filter(([path]) => existsSync(path));
    const shared = seen.map(([path, access]) => ({ path, access }));
    return runArguments(name, { ...request, engine, limits, shares: shared });
  };
  const findFacts = async () => {
    const { digest } = (await refreshImage(config, engine, execution.image)) ?? image;
    return { name: execution.image, digest };
  };
  let facts: ReturnType<typeof findFacts> | null = null;
  return {
    path: image.path,
    identity: `${image.digest} `,
    isContainer: true,
    limitLines,
    share: (path, access) => void shares.set(path, access),
    run: (command, signal, onError) => {
      const name = `${nameOfRun(workspace.mark)}tool-${randomUUID()}`;
      const call = callOf(engine, workspace.dir, argumentsOf(name));
      return runInContainer({ engine, name, call }, command, signal, onError);
    },
    relayFor: (step) => ({
      command: callOf(engine, step, argumentsOf(containerOf(step))),
      first: limits.memoryMib > 0 ? yieldMemory : '',
      last: [
        ...(limits.memoryMib > 0 ? [noteMemory(outOfMemoryFile(own, step))] : []),
        `[ -z "$missing" ] || : >${quoted(missingFile(own, step))}`,
        `: >${quoted(endFile(own, step))}"$code"`,
      ].join('\n'),
    }),
    // Asked once, so that reports with and without the versions of programs keep their order.
    image: () => (facts ??= findFacts()),
  };
}

/** When memory runs out, the kernel ends the program rather than the shell that tells of it. */
const yieldMemory = 'echo 200 >/proc/self/oom_score_adj; ';

/**
 * Tells whether the kernel has killed programs that used too much memory: the engine knows that only of the first one.
 * The files are those of control groups of version 2 and 1.
 */
const noteMemory = (file: string): string =>
  `for counts in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
[ -r "$counts" ] || continue
while read -r name count; do [ "$name" = oom_kill ] && [ "$count" != 0 ] && : >${quoted(file)}; done <"$counts"
done`;

/** `cwd` is removed with the run: podman's monitor writes a file there when memory runs out. */
const callOf = ({ command, env }: Engine, cwd: string, args: string[]): Command => ({
  command,
  args,
  cwd,
  env,
});

interface ToolContainer {
  engine: Engine;
  name: string;
  call: Command;
}

/** Runs a short program in a container of its own. */
async function runInContainer(
  { engine, name, call }: ToolContainer,
  { outputLimit, ...command }: ProgramOfRun,
  signal?: AbortSignal,
  onError?: (text: string) => void,
): Promise<ToolResult> {
  const [run = '', ...options] = call.args;
  const args = [run, '--rm', ...options];
  const input = inBraces(...surroundings(command), `exec ${words(command)} </dev/null`);
  try {
    return await runTool(
      { ...call, args, input, ...(outputLimit && { outputLimit }) },
      signal,
      onError,
    );
  } finally {
    // Killing the engine leaves the container.
    if (signal?.aborted) await removeContainer(engine, name);
  }
}
