// Installs a plugin of Signalbox for Ansible in the home folder of a run, beside the user's plugins.

import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeAll } from '../workspace/run-files.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Writes the plugin where Ansible finds it; returns its folder. `kind`: Ansible's name of the folder. */
export async function installPlugin(
  { home, user }: Pick<Workspace, 'home' | 'user'>,
  kind: 'callback' | 'inventory',
  file: URL,
): Promise<string> {
  const folder = join(home, '.ansible', 'plugins', kind);
  const source = fileURLToPath(file);
  // A copy, because the user may not be allowed to read the folder of the installation.
  const files = { [join(folder, basename(source))]: await readFile(source, 'utf8') };
  await writeAll({ folders: [folder], files }, user);
  return folder;
}
