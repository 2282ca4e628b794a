// The containers of a run: how any runner finds them again, how they have ended, and their removal. A file in the
// folder of the run says how its engine is called.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunnerConfig } from '../config/runner-config.ts';
import { readSmallFile } from '../../node/fs/small-file.ts';
import { identityOf, parseIdentity, type Identity } from '../programs/identity.ts';
import { askEngine, callEngine, type EngineCall } from './engine.ts';

/** The labels of all containers: the run, and the data folder. */
export const runLabel = 'signalbox.run';
const dataLabelName = 'signalbox.data';

export const dataLabel = ({ dataDir }: Pick<RunnerConfig, 'dataDir'>): string =>
  `${dataLabelName}=${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;

/** The file in the folder of a run that says how the engine of its containers is called. */
const engineFile = 'container-engine';
/** The file with the identity of the program in the container. */
const mainFile = 'container-main';

/** The names of the containers of a run begin with this. */
export const nameOfRun = (mark: string): string => `signalbox-${mark}-`;

export const containerOf = (step: string): string =>
  nameOfRun(basename(dirname(step))) + basename(step);

interface Noted extends EngineCall {
  /** The folder of the run into which its programs may write. */
  own: string;
}

export const noteEngine = (dir: string, { name, command, env, own }: Noted): Promise<void> =>
  writeFile(join(dir, engineFile), JSON.stringify({ name, command, env, own }), { mode: 0o600 });

function engineOf(dir: string): Noted | null {
  const text = readSmallFile(join(dir, engineFile));
  return text === null ? null : (JSON.parse(text) as Noted);
}

/** Whether the programs of a run are in containers. */
export const hasContainers = (dir: string): boolean => engineOf(dir) !== null;

/** The program in the container of a step, the first child of the first process; null: not started yet. */
export async function mainInContainer(step: string): Promise<Identity | null> {
  const known = readSmallFile(join(step, mainFile));
  if (known !== null) return parseIdentity(known);
  const engine = engineOf(dirname(step));
  const first = engine && (await stateOf(engine, step))?.Pid;
  if (!first) return null;
  const [child] = (readSmallFile(`/proc/${first}/task/${first}/children`) ?? '').split(' ');
  const identity = child ? identityOf(Number(child)) : null;
  if (identity === null) return null;
  // Kept, because another process may be the first child when the program has ended.
  await writeFile(join(step, mainFile), identity);
  return parseIdentity(identity);
}

/** The file whose existence says that the kernel has killed programs of a step for their memory. */
export const outOfMemoryFile = (own: string, step: string): string =>
  join(own, `${basename(step)}-out-of-memory`);

/** The file whose existence says that the image has no such program. */
export const missingFile = (own: string, step: string): string =>
  join(own, `${basename(step)}-missing`);

/** The beginning of the path of an empty file that the last shell in the container of a step makes, before the exit code. */
export const endFile = (own: string, step: string): string => join(own, `${basename(step)}-ended-`);

export interface ContainerEnd {
  /** `lost`: the engine has ended before the container. `unstarted`: the container has never run. */
  how: 'ended' | 'lost' | 'unstarted';
  isOutOfMemory: boolean;
  /** Whether the image has no such program. */
  isMissing: boolean;
}

interface State {
  Pid?: number;
  Status?: string;
  Running?: boolean;
  ExitCode?: number;
  OOMKilled?: boolean;
}

async function stateOf(engine: EngineCall, step: string): Promise<State | null> {
  const args = ['inspect', '--format', '{{json .State}}', containerOf(step)];
  return (await askEngine(engine, args)) as State | null;
}

/**
 * How the container of a step has ended, whose engine has ended with a code. The engine is only asked, which takes
 * longer than the rest of the end, if the shell in the container has not noted the same code. A program that forges the
 * note could as well have ended with the code.
 */
export async function endOfContainer(step: string, exitCode: number): Promise<ContainerEnd | null> {
  const engine = engineOf(dirname(step));
  if (!engine) return null;
  const isWhole = existsSync(endFile(engine.own, step) + String(exitCode));
  const isMissing = existsSync(missingFile(engine.own, step));
  if (isWhole) {
    const isOutOfMemory = existsSync(outOfMemoryFile(engine.own, step));
    return { how: 'ended', isOutOfMemory, isMissing };
  }
  const state = await stateOf(engine, step);
  const isOutOfMemory = state?.OOMKilled === true || existsSync(outOfMemoryFile(engine.own, step));
  if (!state?.Status || ['created', 'configured', 'initialized'].includes(state.Status)) {
    return { how: 'unstarted', isOutOfMemory, isMissing };
  }
  const hasEnded = state.Running !== true && state.ExitCode === exitCode;
  return { how: hasEnded ? 'ended' : 'lost', isOutOfMemory, isMissing };
}

/** Removes the containers of a run with their volumes, whatever state they are in. */
export async function removeContainers(dir: string): Promise<void> {
  const engine = engineOf(dir);
  if (engine) await removeLabelled(engine, `${runLabel}=${basename(dir)}`, () => true);
}

/** Removes the containers of runs of this data folder whose folders are gone. */
export async function sweepContainers(config: RunnerConfig, engine: EngineCall): Promise<void> {
  const runs = await readdir(join(config.dataDir, 'runs')).catch(() => []);
  const isRun = (name: string): boolean => runs.some((run) => name.startsWith(nameOfRun(run)));
  await removeLabelled(engine, dataLabel(config), (name) => !isRun(name));
}

const MAX_REMOVALS = 10;
const pauseMs = 200;

/**
 * Podman refuses to list or remove a container whose process has just been killed or that another podman is removing,
 * so both are tried again.
 */
async function removeLabelled(
  engine: EngineCall,
  label: string,
  isGone: (name: string) => boolean,
): Promise<void> {
  const list = ['ps', '--all', '--filter', `label=${label}`, '--format', '{{.Names}}'];
  for (let count = 0; count < MAX_REMOVALS; count += 1) {
    if (count > 0) await delay(pauseMs);
    const { exitCode, stdout } = await callEngine(engine, list);
    if (exitCode !== 0) continue;
    const names = stdout.split('\n').filter((name) => name !== '' && isGone(name));
    if (names.length === 0 || (await remove(engine, names))) return;
  }
}

async function remove(engine: EngineCall, names: string[]): Promise<boolean> {
  const atOnce = engine.name === 'podman' ? ['--time=0'] : [];
  const args = ['rm', '--force', '--volumes', ...atOnce, ...names];
  return (await callEngine(engine, args)).exitCode === 0;
}

/** Removes the container of a short program, which may have ended by itself. */
export async function removeContainer(engine: EngineCall, name: string): Promise<void> {
  await remove(engine, [name]);
}
