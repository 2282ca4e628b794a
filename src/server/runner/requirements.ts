// Roles and collections that a playbook asks for in a requirements.yml, installed before it
// runs and kept for later runs. What a run needs is linked into its own HOME.

import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import type { Config } from '../config.ts';
import type { RunUser } from '../run-as.ts';
import type { ToolResult } from './process.ts';
import { link, makeFolder } from './run-files.ts';
import { giveFolder } from './run-users.ts';
import { markUsed } from './sweep.ts';

type Kind = 'collection' | 'role';

export interface RequirementsOptions {
  config: Config;
  projectId: number;
  /** The files of the repository. */
  checkout: string;
  playbook: string;
  /** HOME of the run. */
  home: string;
  /** Who the run's programs run as. */
  user: RunUser | null;
  /** Hash of what is checked out: sources inside the repository change with it. */
  version: string;
  /** Calls ansible-galaxy in the folder of these files. */
  galaxy: (args: string[]) => Promise<ToolResult>;
  say: (lines: string[]) => Promise<void>;
}

/** Beside the playbook, and in the folders that Ansible's own layout has for them. */
const places: [path: string, kind: Kind][] = [
  ['collections/requirements.yml', 'collection'],
  ['requirements.yml', 'collection'],
  ['roles/requirements.yml', 'role'],
  ['requirements.yml', 'role'],
];

/** Installs what is asked for; answers variables for Ansible, if it has to be told the place. */
export async function installRequirements(
  options: RequirementsOptions,
): Promise<Record<string, string>> {
  const folder = join(options.checkout, dirname(options.playbook));
  let isAnything = false;
  for (const [path, kind] of places) {
    const text = await readFile(join(folder, path), 'utf8').catch(() => null);
    if (text === null || !asksFor(kind, text)) continue;
    isAnything = true;
    const shown = join(dirname(options.playbook), path);
    const kept = await keep(options, kind, { path: join(folder, path), text, shown });
    await linkInto(options, kind, kept);
  }
  return isAnything ? pathVariables(options) : {};
}

/** A list names roles; a mapping has a list of either. Anything else is for Ansible to refuse. */
function asksFor(kind: Kind, text: string): boolean {
  let content: unknown;
  try {
    content = parseYaml(text);
  } catch {
    return true;
  }
  if (Array.isArray(content)) return kind === 'role' && content.length > 0;
  const list = (content as Record<string, unknown> | null)?.[`${kind}s`];
  return Array.isArray(list) && list.length > 0;
}

interface Wanted {
  path: string;
  text: string;
  shown: string;
}

// A path of the repository or of the server, whose content the file does not fix.
const localSource = /(?:^|\s)["']?(?:\.{0,2}\/|file:)/;

/** The folder of what the file asks for, from an earlier run or installed now. */
async function keep(options: RequirementsOptions, kind: Kind, wanted: Wanted): Promise<string> {
  const { config, projectId, version, galaxy, say, user } = options;
  // What one project has the keys for is not for the others.
  const hash = createHash('sha256').update(`${projectId}\0${kind}\0${wanted.text}`);
  if (localSource.test(wanted.text)) hash.update(`\0${version}`);
  const kept = join(config.dataDir, 'galaxy', hash.digest('hex').slice(0, 32));
  if (await readdir(kept).catch(() => null)) {
    await markUsed(kept);
    await say([`${wanted.shown}: ${kind}s are installed already`]);
    return kept;
  }
  await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(`${kept}.`);
  try {
    await say([`${wanted.shown}: installing ${kind}s`]);
    if (user) await giveFolder(draft, user);
    const args = [kind, 'install', '-r', wanted.path, '-p', draft];
    const { exitCode, stdout, stderr, failure } = await galaxy(args);
    await say(`${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== ''));
    if (exitCode !== 0) {
      throw new Error(failure ?? `ansible-galaxy ended with the exit code ${exitCode}.`);
    }
    if (user) await keepForAll(draft);
    // Another run may have been quicker; what it has installed is the same.
    await rename(draft, kept).catch(() => undefined);
    return kept;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** From now on nobody but the server changes it, and whoever knows its name reads it. */
async function keepForAll(folder: string): Promise<void> {
  await giveFolder(folder, null);
  await chmod(folder, 0o755);
}

/** Roles are folders by name; collections are folders in the folder of their namespace. */
async function linkInto(
  { home, user }: RequirementsOptions,
  kind: Kind,
  kept: string,
): Promise<void> {
  if (kind === 'role') return linkAll(kept, join(home, '.ansible', 'roles'), user);
  const from = join(kept, 'ansible_collections');
  const names = await readdir(from).catch(() => []);
  for (const name of names.filter((entry) => !entry.includes('.'))) {
    const target = join(home, '.ansible', 'collections', 'ansible_collections', name);
    await linkAll(join(from, name), target, user);
  }
}

async function linkAll(from: string, to: string, user: RunUser | null): Promise<void> {
  await makeFolder(to, user);
  // The first place that asks for something wins.
  for (const name of await readdir(from)) await link(join(from, name), join(to, name), user);
}

/** A repository that sets its own paths is told ours before them. */
async function pathVariables({
  checkout,
  home,
}: RequirementsOptions): Promise<Record<string, string>> {
  const settings = await readFile(join(checkout, 'ansible.cfg'), 'utf8').catch(() => '');
  const variables: Record<string, string> = {};
  for (const kind of ['roles', 'collections']) {
    const own = new RegExp(`^\\s*${kind}_paths?\\s*=\\s*(\\S.*)$`, 'm').exec(settings)?.[1];
    if (!own) continue;
    const name = kind === 'roles' ? 'ANSIBLE_ROLES_PATH' : 'ANSIBLE_COLLECTIONS_PATH';
    variables[name] = `${join(home, '.ansible', kind)}:${own.trim()}`;
  }
  return variables;
}
