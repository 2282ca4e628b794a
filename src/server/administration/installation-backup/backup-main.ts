// The process that makes a scheduled backup, so that the event loop of the server is never blocked. It
// reads its order from standard input, and prints the outcome.

import { stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ConfigError } from '../../../node/config-error.ts';
import { isUnreachable } from '../../db/unreachable.ts';
import type { BackupHandoff, BackupOutcome } from './backup-process.ts';
import { makeBackup } from './make-backup.ts';

// The process exits when the server has ended, whose next start makes the backup again.
const POLL_INTERVAL_MS = 1000;

async function main(): Promise<BackupOutcome> {
  const { config, settings, folder } = JSON.parse(await text(process.stdin)) as BackupHandoff;
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) return { failure: `There is no folder ${folder}.` };
  try {
    const { file, bytes } = await makeBackup({
      config,
      settings,
      target: { folder },
      keyFile: null,
    });
    return { file: file ?? '', bytes };
  } catch (error) {
    if (error instanceof ConfigError || isUnreachable(error)) return { failure: error.message };
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    return { failure: `The system refuses: ${message}.` };
  }
}

const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, POLL_INTERVAL_MS).unref();
process.stdout.write(JSON.stringify(await main()));
