// Installs the callback plugin of Signalbox, which reports the progress of a run, beside the user's callbacks.

import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import { progressFile, type Workspace } from '../workspace/workspace.ts';
import { installPlugin } from './ansible-plugin.ts';

const plugin = new URL('callback/signalbox_progress.py', import.meta.url);

/** Returns the environment variables that the callback needs. */
export async function installCallback(
  workspace: Workspace,
  { hostFacts = [], narrowed }: Pick<TaskSnapshot, 'hostFacts' | 'narrowed'>,
  /** The folders of the user's callbacks; null: there are none. */
  theirs: string | null,
): Promise<Record<string, string>> {
  const ours = await installPlugin(workspace, 'callback', plugin);
  // Ansible searches the folder by default. If the user has set other folders, it is put before them.
  return {
    SIGNALBOX_PROGRESS_FILE: progressFile(workspace.dir),
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
