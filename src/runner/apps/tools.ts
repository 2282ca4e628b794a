// Records the versions of the programs and requirements that a run uses, while the run goes on. What
// a program does not tell in time is left out; a run never fails or waits because of it.

import { basename, dirname, join } from 'node:path';
import type { TaskTools } from '#shared/api/task-changes.ts';
import { programEnvironment } from '../prepare/environment.ts';
import { givenVariables, type Preparation } from '../prepare/prepare.ts';
import { listInstalled, type InstalledFolder } from '../prepare/installed.ts';
import { stateOf } from '../../node/async/state-of.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { stateOfProgram } from '../../node/process/installed-programs.ts';
import type { Command } from '../programs/process.ts';

type Programs = TaskTools['programs'];

const MAX_OUTPUT_BYTES = 64 * 1024;
const MAX_CACHED = 100;

/** Records the tools of an Ansible run. */
export function recordAnsible(preparation: Preparation, folders: InstalledFolder[]): void {
  const { path } = preparation.task.snapshot.program;
  record(preparation, folders, async (signal) => {
    if (basename(path) !== 'ansible-playbook') return [];
    // Its shorter sibling tells the same.
    const program = path.includes('/') ? join(dirname(path), 'ansible') : 'ansible';
    return readAnsible(await askOnce(preparation, program, ['--version'], signal));
  });
}

/** Records the tools of a run of Python. */
export function recordPython(preparation: Preparation, folders: InstalledFolder[]): void {
  const { path } = preparation.task.snapshot.program;
  record(preparation, folders, async (signal) => {
    if (!/^python[\d.]*$/.test(basename(path))) return [];
    return readPython(await askOnce(preparation, path, ['--version'], signal));
  });
}

/** Records the tools of a run of Terraform or OpenTofu; `command` prints the versions as JSON. */
export function recordTerraform(preparation: Preparation, command: Command): void {
  const name = basename(command.command);
  if (name !== 'terraform' && name !== 'tofu') return;
  const { execution, workspace } = preparation;
  preparation.inBackground(async (signal) => {
    const tool = { ...command, user: workspace.user, outputLimit: MAX_OUTPUT_BYTES };
    const { exitCode, stdout } = await execution.run(tool, signal);
    if (exitCode === 0) await send(preparation, readTerraform(name, stdout));
  });
}

/** The version of Terraform or OpenTofu; empty: it does not say. `command` prints it as JSON. */
export async function versionOf(
  { workspace, signal, execution }: Preparation,
  command: Command,
): Promise<string> {
  const tool = { ...command, user: workspace.user, outputLimit: MAX_OUTPUT_BYTES };
  const { exitCode, stdout } = await execution.run(tool, signal);
  return exitCode === 0 ? (ofProgram.exec(stdout)?.[1] ?? '') : '';
}

function record(
  preparation: Preparation,
  folders: InstalledFolder[],
  ask: (signal: AbortSignal) => Promise<Programs>,
): void {
  const { ctx, workspace, execution } = preparation;
  const { environment = null } = execution;
  const own = environment === null ? [] : [{ kind: 'package' as const, path: environment }];
  preparation.inBackground(async (signal) => {
    const access = { user: workspace.user, signal };
    const requirements = await listInstalled(ctx.config, [...folders, ...own], access);
    const programs = await ask(signal).catch(() => []);
    await send(preparation, { programs, requirements });
  });
}

async function send({ ctx, task, execution }: Preparation, tools: TaskTools): Promise<void> {
  const image = await execution.image?.();
  if (!image && tools.programs.length + tools.requirements.length === 0) return;
  await ctx.runnerApi.recordTools(task, { ...tools, ...(image && { image }) });
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

// The program tells of itself first, and then of its providers by their addresses.
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

// By the file of the program with its last change, its user and the variables below. A package that the
// program loads may change without it, so this is for people to read, and nothing is decided by it.
const knownAnswersOf = stateOf((_config: RunnerConfig) => new Map<string, Promise<string>>());

// The variables that decide which Ansible or Python answers.
const deciding = ['PATH', 'VIRTUAL_ENV', 'PYTHONPATH', 'PYTHONHOME'];

/** What a program prints; asked once until its file changes, because that takes Ansible a second. */
async function askOnce(
  preparation: Preparation,
  program: string,
  args: string[],
  signal: AbortSignal,
): Promise<string> {
  const { workspace, execution } = preparation;
  const { home, user } = workspace;
  const env = { ...programEnvironment(preparation), ...givenVariables(preparation) };
  const file = execution.isContainer
    ? `${execution.identity} ${program}`
    : await stateOfProgram(program, env.PATH ?? '');
  const ask = async (): Promise<string> => {
    const command = { command: program, args, cwd: home, env, user, outputLimit: MAX_OUTPUT_BYTES };
    const { exitCode, stdout, stderr } = await execution.run(command, signal);
    // Python 2 answered on standard error.
    return exitCode === 0 ? stdout || stderr : '';
  };
  if (file === null) return ask();
  const known = knownAnswersOf(preparation.ctx.config);
  const values = deciding.map((name) => env[name as keyof typeof env] ?? '');
  const key = JSON.stringify([file, user?.uid ?? null, ...values]);
  const before = known.get(key);
  if (before) return before;
  if (known.size >= MAX_CACHED) known.clear();
  const answer = ask();
  known.set(key, answer);
  // An answer that did not come is asked for again.
  const text = await answer.catch(() => '');
  if (text === '') known.delete(key);
  return text;
}
