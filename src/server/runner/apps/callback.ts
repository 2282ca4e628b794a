// Our own callback of Ansible, which tells how far a run has come, beside those of the user.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder, writeInto } from '../run-files.ts';
import { progressFile, type Workspace } from '../workspace.ts';

const name = 'signalbox_progress.py';
const plugin = fileURLToPath(new URL(`callback/${name}`, import.meta.url));

/** Puts the callback where Ansible looks for it; answers the variables that it needs. */
export async function installCallback(
  { dir, home, checkout, user }: Workspace,
  /** What the user sets for the program. */
  env: Record<string, string>,
): Promise<Record<string, string>> {
  const ours = join(home, '.ansible', 'plugins', 'callback');
  await makeFolder(ours, user);
  // A copy: the user may not be let to where we are installed.
  await writeInto(join(ours, name), await readFile(plugin, 'utf8'), user);
  // Ansible looks there by itself, unless it is told other places: then ours come before them.
  const theirs = await ownPlaces(checkout, env);
  return {
    SIGNALBOX_PROGRESS_FILE: progressFile(dir),
    ...(theirs && { ANSIBLE_CALLBACK_PLUGINS: `${ours}:${theirs}` }),
  };
}

async function ownPlaces(checkout: string, env: Record<string, string>): Promise<string | null> {
  const variable = env['ANSIBLE_CALLBACK_PLUGINS'];
  if (variable) return variable;
  const settings = await readSettings(checkout, env['ANSIBLE_CONFIG']);
  return /^[ \t]*callback_plugins[ \t]*[=:][ \t]*(\S.*?)[ \t]*$/m.exec(settings)?.[1] ?? null;
}

/** The file of settings that Ansible takes: the first one that is there. */
async function readSettings(checkout: string, named: string | undefined): Promise<string> {
  const paths = [named && join(checkout, named), named, join(checkout, 'ansible.cfg'), system];
  for (const path of paths) {
    const text = path ? await readFile(path, 'utf8').catch(() => null) : null;
    if (text !== null) return text;
  }
  return '';
}

const system = '/etc/ansible/ansible.cfg';
