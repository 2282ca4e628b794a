// Finds the Python of an execution environment: the one at a path, or the first of its version on the PATH of the
// runner, or one that uv knows. None is downloaded.

import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';
import { stateOf } from '../../node/async/state-of.ts';
import { isInstalled } from '../../node/process/installed-programs.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { ExecutionFailed } from '../execution/execution-failed.ts';
import { fetchEnvironment } from '../prepare/environment.ts';
import type { FilePreparation } from '../prepare/prepare.ts';
import { runTool } from '../programs/process.ts';
import { listPythons } from './list-pythons.ts';

export interface Python {
  /** The program at the given path, or the one to which a program on the PATH leads. */
  path: string;
  /** Such as 3.12.4. */
  version: string;
}

type PythonPlace = Pick<FilePreparation, 'ctx' | 'workspace' | 'signal'>;
type PythonChoice = Pick<ExecutionSnapshot, 'name' | 'python'>;

interface KnownPython extends Python {
  /** The state of the files that have led to it. */
  files: Record<string, string>;
}

// Asking takes a process, so it is asked again only when its files have changed.
const knownPythonsOf = stateOf((_config: RunnerConfig) => new Map<string, KnownPython>());
const MAX_KNOWN = 100;

export async function findPython(place: PythonPlace, wanted: PythonChoice): Promise<Python> {
  const known = knownPythonsOf(place.ctx.config);
  const key = JSON.stringify([wanted.python, place.workspace.user?.uid ?? null]);
  const before = known.get(key);
  if (before && (await areUnchanged(before.files))) return before;
  const { program, path, version } = await search(place, wanted);
  const names = [...new Set([program, path])];
  const states = await Promise.all(names.map(stateOfFile));
  const files = Object.fromEntries(names.map((name, index) => [name, states[index] ?? '']));
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, { path, version, files });
  return { path, version };
}

const stateOfFile = (path: string): Promise<string> =>
  stat(path).then(
    ({ ino, mtimeMs }) => `${ino} ${mtimeMs}`,
    () => '',
  );

async function areUnchanged(files: Record<string, string>): Promise<boolean> {
  const states = await Promise.all(Object.keys(files).map(stateOfFile));
  return Object.values(files).every((state, index) => state !== '' && state === states[index]);
}

interface FoundPython extends Python {
  program: string;
}

async function search(place: PythonPlace, { name, python }: PythonChoice): Promise<FoundPython> {
  if (isAbsolute(python)) {
    const one = await ask(place, python);
    // As it is given: it may be a script that sets something first.
    if (one) return { ...one, path: python };
    throw new ExecutionFailed('failure.python_path', { name, python });
  }
  const found: FoundPython[] = [];
  for (const program of await listPythons(place.ctx.config.path, python)) {
    const one = await ask(place, program);
    if (one && isOfVersion(one.version, python)) return one;
    if (one) found.push(one);
  }
  const ofUv = await askUv(place, python);
  if (ofUv) return ofUv;
  const versions = [...new Set(found.map(({ version }) => version))];
  if (versions.length === 0) throw new ExecutionFailed('failure.python_none', { name });
  throw new ExecutionFailed('failure.python_missing', { name, python, found: versions.join(', ') });
}

const isOfVersion = (version: string, wanted: string): boolean =>
  wanted === '' || `${version}.`.startsWith(`${wanted}.`);

const MAX_OUTPUT_BYTES = 64 * 1024;
const script = 'import json, sys; print(json.dumps([sys.executable, sys.version_info[:3]]))';

const toldOf = z.tuple([
  z.string().startsWith('/'),
  z.tuple([z.literal(3), z.number(), z.number()]),
]);

/** Null: it is no Python that runs, or the user of the task cannot run it. */
async function ask(place: PythonPlace, program: string): Promise<FoundPython | null> {
  if (!existsSync(program)) return null;
  const text = await output(place, program, ['-I', '-c', script]);
  const told = readTold(text);
  if (told === null) return null;
  const [path, version] = told;
  return { program, path, version: version.join('.') };
}

/** Null: the program has printed something else. */
function readTold(text: string): z.output<typeof toldOf> | null {
  try {
    return toldOf.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The Python of this version that uv knows; null: none, or there is no uv. */
async function askUv(place: PythonPlace, version: string): Promise<FoundPython | null> {
  if (version === '' || !isInstalled(place.ctx.config, 'uv')) return null;
  const text = await output(place, 'uv', ['python', 'find', '--no-project', version]);
  const program = text.trim();
  return isAbsolute(program) ? ask(place, program) : null;
}

async function output(
  { ctx, workspace, signal }: PythonPlace,
  command: string,
  args: string[],
): Promise<string> {
  const place = { ctx, workspace, execution: ctx.config };
  const env = { ...fetchEnvironment(place), UV_PYTHON_DOWNLOADS: 'never', UV_NO_CACHE: '1' };
  const { user } = workspace;
  const tool = { command, args, cwd: '/', env, user, outputLimit: MAX_OUTPUT_BYTES };
  const { exitCode, stdout } = await runTool(tool, signal);
  signal.throwIfAborted();
  return exitCode === 0 ? stdout : '';
}
