// Finds podman or docker on the runner, and runs its commands.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { RunnerConfig } from '../config/runner-config.ts';
import { proxyVariables } from '../../node/net/proxies.ts';
import { isInstalled } from '../../node/process/installed-programs.ts';
import { stateOf } from '../../node/async/state-of.ts';
import { controllerOf, type LimitName } from '../programs/task-limits.ts';
import { runTool, type Command, type ToolResult } from '../programs/process.ts';

export const engineNames = ['podman', 'docker'] as const;
type EngineName = (typeof engineNames)[number];

/** How a program for containers is called. Stored in the folder of a run, so that any later runner can remove them. */
export interface EngineCall extends Pick<Command, 'command' | 'env'> {
  name: EngineName;
}

export interface Engine extends EngineCall {
  version: string;
  /** Whether the user root of a container has only the rights of the runner's user. */
  isRootless: boolean;
  /** The limits that it can hold here. */
  limits: LimitName[];
  /** The folder with the images; null: unknown. */
  store: string | null;
}

const MAX_CALL_MS = 60_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Runs a command of the engine, at most a minute unless a signal is given. */
export const callEngine = (
  { command, env }: Pick<EngineCall, 'command' | 'env'>,
  args: string[],
  signal: AbortSignal = AbortSignal.timeout(MAX_CALL_MS),
): Promise<ToolResult> =>
  runTool({ command, args, cwd: '/', env, outputLimit: MAX_OUTPUT_BYTES }, signal);

/** The output of a command as JSON; null: it failed, or printed something else. */
export async function askEngine(call: EngineCall, args: string[]): Promise<unknown> {
  const { exitCode, stdout } = await callEngine(call, args);
  if (exitCode !== 0) return null;
  try {
    return JSON.parse(stdout) as unknown;
  } catch {
    return null;
  }
}

type EngineConfig = Pick<RunnerConfig, 'path' | 'proxies' | 'containers'>;

const foundOf = stateOf((_config: EngineConfig) => ({ engine: null as Promise<Engine> | null }));

/** The engine of this runner, which is searched for until there is one; null: none can be used. */
export async function findEngine(config: EngineConfig): Promise<Engine | null> {
  const found = foundOf(config);
  if (found.engine) return found.engine;
  for (const name of namesFor(config)) {
    const engine = await openEngine(config, name);
    if (!engine) continue;
    found.engine = Promise.resolve(engine);
    return engine;
  }
  return null;
}

/** The engine with its version; empty: none. */
export async function describeEngine(config: EngineConfig): Promise<string> {
  const engine = await findEngine(config).catch(() => null);
  return engine ? `${engine.name} ${engine.version}` : '';
}

function namesFor({ containers: { engine }, path }: EngineConfig): EngineName[] {
  const wanted = engine === 'auto' ? engineNames : engineNames.filter((name) => name === engine);
  return wanted.filter((name) => isInstalled({ path }, name));
}

async function openEngine(config: EngineConfig, name: EngineName): Promise<Engine | null> {
  const call = { name, command: name, env: clientEnvironment(config) };
  const info = await askEngine(call, ['info', '--format', '{{json .}}']);
  const isRoot = process.getuid?.() === 0;
  if (name === 'docker') {
    const {
      ServerVersion: version,
      DockerRootDir: store = null,
      ...can
    } = (info ?? {}) as DockerInfo;
    return version
      ? { ...call, version, isRootless: false, store, limits: dockerLimits(can) }
      : null;
  }
  const { version, store, host } = (info ?? {}) as PodmanInfo;
  if (!version?.Version) return null;
  // Podman takes a limit that it cannot hold, and ignores it.
  const controllers = host?.cgroupControllers ?? [];
  return {
    ...call,
    version: version.Version,
    isRootless: !isRoot,
    limits: allLimits.filter((one) => controllers.includes(controllerOf[one])),
    store: store?.graphRoot ?? null,
  };
}

const allLimits = Object.keys(controllerOf) as LimitName[];

function dockerLimits({ MemoryLimit, CpuCfsQuota, PidsLimit }: DockerInfo): LimitName[] {
  const can = { memoryMib: MemoryLimit, cpuPercent: CpuCfsQuota, processes: PidsLimit };
  return allLimits.filter((name) => can[name]);
}

interface DockerInfo {
  MemoryLimit?: boolean;
  CpuCfsQuota?: boolean;
  PidsLimit?: boolean;
  ServerVersion?: string;
  DockerRootDir?: string;
}

interface PodmanInfo {
  host?: { cgroupControllers?: string[] };
  version?: { Version?: string };
  store?: { graphRoot?: string };
}

/** The engine keeps its images in the home folder of the runner's user, and its sockets in the runtime folder. */
function clientEnvironment(config: EngineConfig): Record<string, string> {
  const runtime = `/run/user/${process.getuid?.() ?? 0}`;
  return {
    PATH: config.path,
    HOME: homedir(),
    LANG: 'C.UTF-8',
    ...(existsSync(runtime) && { XDG_RUNTIME_DIR: runtime }),
    ...proxyVariables(config.proxies),
  };
}
