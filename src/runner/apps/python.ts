// The steps of a task of Python. The packages of a requirements.txt are installed into a virtual
// environment, which is kept for later runs with the same requirements.

import { chmod, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readFiles } from '../sandbox/sandbox.ts';
import { fetchEnvironment, programEnvironment } from '../prepare/environment.ts';
import { accessOf, givenVariables, type Preparation } from '../prepare/prepare.ts';
import { homeVariables } from '../prepare/persistent-home.ts';
import type { Command } from '../programs/process.ts';
import { keyOfPackages } from '../prepare/package-key.ts';
import { notInstalled } from '../prepare/requirements.ts';
import { startFile, workingFolder } from '../prepare/working-folder.ts';
import { isThere } from '../workspace/run-files.ts';
import { giveFolder } from '../workspace/run-users.ts';
import { cacheFolder, markUsed } from '../prepare/caches.ts';
import { folderLocksOf } from '../config/folder-locks.ts';
import { writeAnew } from '../workspace/workspace.ts';
import type { Step } from './app.ts';
import { recordPython } from './tools.ts';
import { scriptCommand } from './script.ts';

export const pythonSteps: Step[] = [
  {
    async command(preparation) {
      const { path, args } = preparation.task.snapshot.program;
      const own = await virtualEnvironment(preparation);
      recordPython(preparation, own === null ? [] : [{ kind: 'package', path: own }]);
      const command = await scriptCommand(preparation, own ? join(own, 'bin/python') : path, args);
      return {
        ...command,
        env: { PYTHONUNBUFFERED: '1', ...command.env, ...activated(own, command) },
      };
    },
  },
];

/** The variables that the script `activate` of a virtual environment sets. */
function activated(folder: string | null, { env }: Command): Record<string, string> {
  return folder ? { VIRTUAL_ENV: folder, PATH: `${join(folder, 'bin')}:${env['PATH']}` } : {};
}

interface Requirements {
  path: string;
  text: string;
}

/** Searches for a requirements.txt beside the script, in the working folder and at the top. */
async function findRequirements(preparation: Preparation): Promise<Requirements | null> {
  const { workspace } = preparation;
  const { path: start } = workingFolder(preparation);
  const script = startFile(preparation, 'script').path;
  const folders = [...new Set([dirname(script), start || '.', '.'])];
  const wanted = folders.map((folder) => ({
    root: workspace.checkout,
    path: join(folder, 'requirements.txt'),
    as: 'text' as const,
  }));
  const files = await readFiles(wanted, accessOf(preparation));
  const index = files.findIndex((file) => file !== null);
  const [place, file] = [wanted[index], files[index]];
  return place && file ? { path: place.path, text: file.text } : null;
}

/** The folder of the virtual environment, made now or by an earlier run; null: none is needed. */
async function virtualEnvironment(preparation: Preparation): Promise<string | null> {
  const { ctx, task, workspace } = preparation;
  const found = await findRequirements(preparation);
  if (found === null) return null;
  const { path, text } = found;
  const when = task.snapshot.installRequirements;
  if (when === 'never') {
    await preparation.say(notInstalled(path));
    return null;
  }
  if (when === 'always') {
    const own = join(workspace.dir, 'venv');
    await install(preparation, own, path);
    return own;
  }
  const key = keyOfPackages({
    projectId: task.project_id,
    program: `${preparation.execution.identity}${task.snapshot.program.path}`,
    python: await describePython(preparation),
    text,
    variables: givenVariables(preparation),
    // Local sources begin beside the file or in the folder in which pip runs.
    version: [task.commit_hash ?? workspace.mark, path, workingFolder(preparation).path].join('\0'),
  });
  const folder = cacheFolder(ctx.config, 'venvs', key);
  // Two runs that ask for the same packages install them once.
  const begin = () => install(preparation, folder, path);
  preparation.execution.share(folder, 'write');
  await folderLocksOf(ctx.config).runExclusive(folder, begin, preparation.signal);
  preparation.execution.share(folder, 'read');
  return folder;
}

/** The version and the place of the Python behind the program, which may be a link or choose one. */
async function describePython(preparation: Preparation): Promise<string> {
  const { task, workspace, signal, execution } = preparation;
  const { folder: cwd } = workingFolder(preparation);
  const env = { ...programEnvironment(preparation), ...givenVariables(preparation) };
  const args = ['-c', 'import sys; print(sys.version, sys.base_prefix)'];
  const tool = { command: task.snapshot.program.path, args, cwd, env, user: workspace.user };
  // Making the environment fails where this does, and says why.
  return (await execution.run({ ...tool, outputLimit: MAX_OUTPUT_BYTES }, signal)).stdout;
}

const MAX_OUTPUT_BYTES = 64 * 1024;

async function install(preparation: Preparation, folder: string, path: string): Promise<void> {
  const { ctx, task, workspace, signal, say, execution } = preparation;
  // The mark is written last. A folder without it was left by a crash.
  const mark = join(folder, 'complete');
  if (await isThere(mark)) {
    await markUsed(folder);
    return say(`${path}: packages are installed already`);
  }
  await say(`${path}: installing packages`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const { user } = workspace;
  if (user || execution.isContainer) await mkdir(folder);
  if (user) {
    // Set explicitly, whatever the umask is, because all users of tasks read this folder.
    await chmod(folder, 0o755);
    await giveFolder(folder, user);
  }
  const env = {
    ...fetchEnvironment(preparation),
    ...(await homeVariables(preparation)),
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_NO_INPUT: '1',
    ...givenVariables(preparation),
  };
  const file = join(workspace.checkout, path);
  const { folder: cwd } = workingFolder(preparation);
  const commands: [string, ...string[]][] = [
    [task.snapshot.program.path, '-m', 'venv', folder],
    [join(folder, 'bin/python'), '-m', 'pip', 'install', '--requirement', file],
  ];
  for (const [command, ...args] of commands) {
    const result = await execution.run({ command, args, cwd, env, user }, signal);
    const lines = `${result.stdout}\n${result.stderr}`.split('\n');
    await preparation.sayAll(lines.filter((line) => line.trim() !== ''));
    if (result.exitCode === 0) continue;
    throw new Error(result.failure ?? `Installing the packages of ${path} failed.`);
  }
  // From now on only the runner may change the folder.
  if (user) await giveFolder(folder, null);
  await writeAnew(mark, `${ctx.clock.now().toISOString()}\n`, 0o644);
}
