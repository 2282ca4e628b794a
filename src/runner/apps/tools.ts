// Records the versions of the programs and requirements that a run uses, in the background. Versions that a
// program does not print in time are left out; a run never fails or waits because of it.

import { basename, dirname, join } from 'node:path';
import type { TaskTools } from '#shared/api/task-changes.ts';
import { programEnvironment } from '../prepare/environment.ts';
import { givenVariables, type Preparation } from '../prepare/prepare.ts';
import { listInstalled, type InstalledFolder } from '../prepare/installed.ts';
import { stateOfProgram } from '../../node/process/installed-programs.ts';
import { runTool, type Command } from '../programs/process.ts';

type Programs = TaskTools['programs'];

const MAX_OUTPUT_BYTES = 64 * 1024;
const MAX_CACHED = 100;

export function recordAnsible(preparation: Preparation, folders: InstalledFolder[]): void {
  const { path } = preparation.task.snapshot.program;
  record(preparation, folders, async (signal) => {
    if (basename(path) !== 'ansible-playbook') return [];
    // Starts faster than ansible-playbook and prints the same versions.
    const program = path.includes('/') ? join(dirname(path), 'ansible') : 'ansible';
    return readAnsible(await askOnce(preparation, program, ['--version'], signal));
  });
}

export function recordPython(preparation: Preparation, folders: InstalledFolder[]): void {
  const { path } = preparation.task.snapshot.program;
  record(preparation, folders, async (signal) => {
    if (!/^python[\d.]*$/.test(basename(path))) return [];
    return readPython(await askOnce(preparation, path, ['--version'], signal));
  });
}

/** `command` prints the versions as JSON. */
export function recordTerraform(preparation: Preparation, command: Command): void {
  const name = basename(command.command);
  if (name !== 'terraform' && name !== 'tofu') return;
  preparation.inBackground(async (signal) => {
    const text = await printedBy(preparation, command, signal);
    await send(preparation, readTerraform(name, text));
  });
}

/** The version of Terraform or OpenTofu; empty: unknown. `command` prints it as JSON. */
export const versionOf = async (preparation: Preparation, command: Command): Promise<string> =>
  ofProgram.exec(await printedBy(preparation, command, preparation.signal))?.[1] ?? '';

/** What a program prints; empty: it failed. */
async function printedBy(
  { workspace }: Pick<Preparation, 'workspace'>,
  command: Command,
  signal: AbortSignal,
): Promise<string> {
  const tool = { ...command, user: workspace.user, outputLimit: MAX_OUTPUT_BYTES };
  const { exitCode, stdout, stderr } = await runTool(tool, signal);
  // Python 2 prints its version on standard error.
  return exitCode === 0 ? stdout || stderr : '';
}

function record(
  preparation: Preparation,
  folders: InstalledFolder[],
  list: (signal: AbortSignal) => Promise<Programs>,
): void {
  const { user } = preparation.workspace;
  preparation.inBackground(async (signal) => {
    const requirements = await listInstalled(folders, { user, signal });
    const programs = await list(signal).catch(() => []);
    await send(preparation, { programs, requirements });
  });
}

async function send({ ctx, task }: Preparation, tools: TaskTools): Promise<void> {
  if (tools.programs.length + tools.requirements.length === 0) return;
  await ctx.runnerApi.recordTools(task, tools);
}

const patterns: [name: string, pattern: RegExp][] = [
  ['ansible', /^ansible (?:\[core )?([\w.+~-]{1,100})/],
  ['python', /^ {1,8}python version = ([\w.+~-]{1,100})/m],
  ['jinja', /^ {1,8}jinja version = ([\w.+~-]{1,100})/m],
];

const found = (name: string, at: string | undefined): Programs =>
  at === undefined ? [] : [{ name, version: at }];

export const readAnsible = (text: string): Programs =>
  patterns.flatMap(([name, pattern]) => found(name, pattern.exec(text)?.[1]));

const readPython = (text: string): Programs =>
  found('python', /^Python ([\w.+~-]{1,100})/.exec(text)?.[1]);

// The version of the program comes first, then those of its providers by their addresses.
const ofProgram = /"terraform_version": {0,4}"([\w.+~-]{1,100})"/;
const ofProvider = /"([\w.-]{1,60}\/[\w.-]{1,60}\/[\w.-]{1,60})": {0,4}"([\w.+~-]{1,100})"/g;

export function readTerraform(name: string, text: string): TaskTools {
  const requirements = [...text.matchAll(ofProvider)].map(([, provider = '', at = '']) => ({
    kind: 'provider' as const,
    name: provider,
    version: at,
  }));
  return {
    programs: found(name, ofProgram.exec(text)?.[1]),
    requirements: requirements.slice(0, 100),
  };
}

// By the file of the program with its modification time, its user and the variables below. A package that the
// program loads may change without it, so this is for people only, and no decision depends on it.
const known = new Map<string, Promise<string>>();

// The variables that select the installation of Ansible or Python.
const deciding = ['PATH', 'VIRTUAL_ENV', 'PYTHONPATH', 'PYTHONHOME'];

/** What a program prints, cached until its file changes, because Ansible takes a second to start. */
async function askOnce(
  preparation: Preparation,
  program: string,
  args: string[],
  signal: AbortSignal,
): Promise<string> {
  const { home, user } = preparation.workspace;
  const env = { ...programEnvironment(preparation), ...givenVariables(preparation) };
  const file = await stateOfProgram(program, env.PATH ?? '');
  const command = { command: program, args, cwd: home, env };
  const print = (): Promise<string> => printedBy(preparation, command, signal);
  if (file === null) return print();
  const values = deciding.map((name) => env[name as keyof typeof env] ?? '');
  const key = JSON.stringify([file, user?.uid ?? null, ...values]);
  const before = known.get(key);
  if (before) return before;
  if (known.size >= MAX_CACHED) known.clear();
  const printed = print();
  known.set(key, printed);
  // Failures are not cached.
  const text = await printed.catch(() => '');
  if (text === '') known.delete(key);
  return text;
}
