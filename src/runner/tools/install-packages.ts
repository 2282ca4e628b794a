// Installs packages into a new environment of Python, with uv or with venv and pip, as the user of the run. What they
// print is in the log of the task while they run.

import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';
import { isFull } from '../../node/fs/disk-space.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { ExecutionFailed } from '../execution/execution-failed.ts';
import { createLineSplitter } from '../log/lines.ts';
import { fetchEnvironment } from '../prepare/environment.ts';
import type { FilePreparation } from '../prepare/prepare.ts';
import { markName } from '../programs/processes.ts';
import { runTool, type Command } from '../programs/process.ts';
import { writeInto } from '../workspace/run-files.ts';
import type { Python } from './find-python.ts';

export type Installer = 'uv' | 'pip';

interface InstallOptions {
  python: Python;
  installer: Installer;
  /** An empty folder, which becomes the environment. */
  folder: string;
  /** The home folder of the programs, which is removed afterwards. */
  home: string;
  /** The file for what they print. */
  log: string;
}

export async function installPackages(
  preparation: FilePreparation,
  wanted: ExecutionSnapshot,
  options: InstallOptions,
): Promise<void> {
  const { workspace } = preparation;
  const { folder, home, python, installer, log } = options;
  // Not arguments, which every user of the machine can read.
  const list = join(home, 'packages.txt');
  await writeInto(list, `${wanted.packages.join('\n')}\n`, workspace.user);
  const own = join(folder, 'bin/python');
  const commands: Record<Installer, [string, ...string[]][]> = {
    uv: [
      ['uv', 'venv', '--no-project', '--python', python.path, folder],
      ['uv', 'pip', 'install', '--python', own, '--requirement', list],
    ],
    pip: [
      [python.path, '-m', 'venv', folder],
      [own, '-m', 'pip', 'install', '--requirement', list],
    ],
  };
  const env = installEnvironment(preparation, wanted, home);
  await rm(log, { force: true });
  const file = createWriteStream(log, { mode: 0o600, flags: 'wx' });
  // The log of the task has the lines too, so this copy is optional.
  const closed = finished(file).catch(() => undefined);
  const disk = watchDisk(preparation.ctx.config);
  try {
    for (const [command, ...args] of commands[installer]) {
      const tool = { command, args, cwd: home, env, user: workspace.user };
      const failure = await runShown(preparation, tool, file);
      if (failure === null) continue;
      const { name } = wanted;
      if (disk.wasFull()) throw new ExecutionFailed('failure.tools_disk', { name });
      throw new ExecutionFailed('failure.tools_packages', { name, reason: failure });
    }
  } finally {
    disk.end();
    file.end();
    await closed;
  }
}

const diskCheckPauseMs = 100;

/** Notes whether the disk was full at a time: programs rarely say it, and free its space before they end. */
function watchDisk(config: RunnerConfig): { wasFull: () => boolean; end: () => void } {
  let wasFull = false;
  const check = (): boolean => (wasFull ||= isFull(config));
  const timer = setInterval(check, diskCheckPauseMs);
  return { wasFull: check, end: () => clearInterval(timer) };
}

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Runs a program whose output appears in the log line by line. Returns why it failed; null: it did not. */
async function runShown(
  { signal, sayAll }: FilePreparation,
  { command, args, ...rest }: Command,
  file: WriteStream,
): Promise<string | null> {
  const splitter = createLineSplitter();
  const all: string[] = [];
  let said = Promise.resolve();
  const show = (lines: string[]): void => {
    const shown = lines.map((line) => line.trimEnd()).filter((line) => line !== '');
    all.push(...shown);
    if (shown.length === 0) return;
    file.write(`${shown.join('\n')}\n`);
    said = said.then(() => sayAll(shown));
    said.catch(() => undefined);
  };
  // In the order of both streams.
  const joined = ['-c', 'exec "$@" >&2', 'sh', command, ...args];
  const tool = { ...rest, command: '/bin/sh', args: joined, outputLimit: MAX_OUTPUT_BYTES };
  const { exitCode, failure } = await runTool(tool, signal, (text) => {
    show(splitter.push(Buffer.from(text)));
  });
  show(splitter.end());
  await said;
  signal.throwIfAborted();
  if (exitCode === 0) return null;
  return failure ?? lastError(all) ?? `${command} ended with ${exitCode ?? 'a signal'}`;
}

// How pip, uv and venv begin an error. The lines after it say more.
const beginsError = /^(?:ERROR|error|Error): |^ *× |ensurepip is not/;
const MAX_REASON_LENGTH = 500;

/** What an installation that failed has said last; undefined: nothing. */
function lastError(lines: string[]): string | undefined {
  const at = lines.findLastIndex((line) => beginsError.test(line));
  const text = lines.slice(at).join('\n').trim();
  return text === '' ? undefined : text.slice(0, MAX_REASON_LENGTH);
}

/** Without the variables of the task: other tasks use the same packages. */
function installEnvironment(
  { ctx, workspace }: FilePreparation,
  { index_url: index }: ExecutionSnapshot,
  home: string,
): Record<string, string> {
  return {
    // uv trusts certificates of its own otherwise; the second name is that of older versions.
    UV_SYSTEM_CERTS: 'true',
    UV_NATIVE_TLS: 'true',
    ...fetchEnvironment({ ctx, workspace, execution: ctx.config }),
    // By it the processes are found and killed if the runner is killed meanwhile.
    [markName]: workspace.mark,
    // A kept cache could be changed by a task, and its files would be links to installed ones.
    HOME: home,
    TMPDIR: home,
    NO_COLOR: '1',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_NO_INPUT: '1',
    PIP_PROGRESS_BAR: 'off',
    UV_NO_CACHE: '1',
    UV_NO_PROGRESS: '1',
    UV_PYTHON_DOWNLOADS: 'never',
    UV_LINK_MODE: 'copy',
    ...(index !== '' && { PIP_INDEX_URL: index, UV_DEFAULT_INDEX: index }),
    // pip ignores an index without TLS that it is not told to trust.
    ...(index.startsWith('http:') && { PIP_TRUSTED_HOST: new URL(index).host }),
  };
}
