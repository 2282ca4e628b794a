// Our own callback of Ansible, which tells how far a run has come, beside those of the user.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder, writeInto } from '../workspace/run-files.ts';
import { progressFile, type Workspace } from '../workspace/workspace.ts';

const plugin = fileURLToPath(new URL('callback/signalbox_progress.py', import.meta.url));
const name = 'signalbox_progress.py';

/** Puts the callback where Ansible looks for it; answers the variables that it needs. */
export async function installCallback(
  { dir, home, user }: Workspace,
  /** Where the user has callbacks; null: nowhere. */
  theirs: string | null,
): Promise<Record<string, string>> {
  const ours = join(home, '.ansible', 'plugins', 'callback');
  await makeFolder(ours, user);
  // A copy: the user may not be let to where we are installed.
  await writeInto(join(ours, name), await readFile(plugin, 'utf8'), user);
  // Ansible looks there by itself, unless it is told other places: then ours come before them.
  return {
    SIGNALBOX_PROGRESS_FILE: progressFile(dir),
    ...(theirs && { ANSIBLE_CALLBACK_PLUGINS: `${ours}:${theirs}` }),
  };
}
