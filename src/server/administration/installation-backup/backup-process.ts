import { fileURLToPath } from 'node:url';
import { runTool } from '../../../runner/programs/process.ts';
import type { Config } from '../../config/config.ts';
import { loadGivenSettings } from '../../config/config.ts';
import type { GivenSettings } from '../../config/read-settings.ts';

/** What the process reads from its standard input. */
export interface BackupHandoff {
  config: Config;
  settings: GivenSettings;
  folder: string;
}

/** What the process prints. */
export type BackupOutcome = { file: string; bytes: number } | { failure: string };

const program = fileURLToPath(new URL('backup-main.ts', import.meta.url));

/** Makes a backup in the folder. The process is killed when the signal fires. */
export async function backUpInProcess(
  config: Config,
  folder: string,
  signal: AbortSignal,
): Promise<BackupOutcome> {
  const handoff: BackupHandoff = { config, folder, settings: await loadGivenSettings() };
  const command = {
    command: process.execPath,
    args: [program],
    cwd: '/',
    env: { PATH: config.path },
    input: `${JSON.stringify(handoff)}\n`,
    outputLimit: 1024 * 1024,
  };
  const { stdout, stderr, exitCode, failure } = await runTool(command, signal);
  try {
    return JSON.parse(stdout) as BackupOutcome;
  } catch {
    const how = failure ?? (exitCode === null ? 'a signal has ended it' : `exit code ${exitCode}`);
    const [last = ''] = stderr.trim().split('\n').slice(-1);
    return { failure: `The process has made no backup: ${how}. ${last}`.trim() };
  }
}
