// Installs our own callback plugin of Ansible, which reports the progress of a run, beside the user's.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import { writeAll } from '../workspace/run-files.ts';
import { progressFile, type Workspace } from '../workspace/workspace.ts';

const plugin = fileURLToPath(new URL('callback/signalbox_progress.py', import.meta.url));
const name = 'signalbox_progress.py';

/** Writes the callback where Ansible finds it; answers the environment variables that it needs. */
export async function installCallback(
  workspace: Workspace,
  { hostFacts = [], narrowed }: Pick<TaskSnapshot, 'hostFacts' | 'narrowed'>,
  /** The folders of the user's callbacks; null: there are none. */
  theirs: string | null,
): Promise<Record<string, string>> {
  const { dir, home, user } = workspace;
  const ours = join(home, '.ansible', 'plugins', 'callback');
  // A copy, because the user may not be allowed to read the folder of the installation.
  const files = { [join(ours, name)]: await readFile(plugin, 'utf8') };
  await writeAll({ folders: [ours], files }, user);
  // Ansible searches this folder by default. If the user has set other folders, this one is put first.
  return {
    SIGNALBOX_PROGRESS_FILE: progressFile(dir),
    ...(hostFacts.length > 0 && { SIGNALBOX_HOST_FACTS: hostFacts.join(' ') }),
    ...(narrowed && {
      SIGNALBOX_NARROWED_FILE: await workspace.writeSecret(
        'narrowed.json',
        JSON.stringify(narrowed),
      ),
    }),
    ...(theirs && { ANSIBLE_CALLBACK_PLUGINS: `${ours}:${theirs}` }),
  };
}
