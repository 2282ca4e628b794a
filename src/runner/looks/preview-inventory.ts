// What Ansible makes of the text of an inventory: its hosts and groups, or why it cannot be read.
// The text may be anything, so only the two parsers that run nothing see it, without keys,
// configuration, and files beside it.

import { fileURLToPath } from 'node:url';
import type { InventoryPreview, InventoryText } from '#shared/api/inventories.ts';
import { readInventory } from '../foreign/foreign.ts';
import type { LookPlace } from './look-place.ts';
import { runTool, type Command } from '../programs/process.ts';
import type { Workspace } from '../workspace/workspace.ts';

const limited = fileURLToPath(new URL('../programs/limited.sh', import.meta.url));
const program = 'ansible-inventory';

/** Bytes of its answer. */
const outputLimit = 8 * 1024 * 1024;

// The name by which the run of a task would know the file tells Ansible nothing here.
const kinds = {
  static: { parser: 'ini', name: 'inventory' },
  'static-yaml': { parser: 'yaml', name: 'inventory.yml' },
} as const;

/** Throws when it has taken too long. */
export async function previewInventory(
  { config, workspace, signal }: LookPlace,
  { type, inventory }: InventoryText,
): Promise<InventoryPreview> {
  const { parser, name } = kinds[type];
  const path = await workspace.writeSecret(name, inventory);
  const configuration = await workspace.writeSecret('ansible.cfg', '');
  const own = { ...environment(parser), ANSIBLE_CONFIG: configuration };
  const command = commandOf(config.path, workspace, path, own);
  const { exitCode, failure, stdout, stderr } = await runTool(command, signal);
  signal.throwIfAborted();
  const messages = messagesOf(stderr, path);
  if (exitCode !== 0 || failure !== null) {
    return { ...nothing, messages: messages.length > 0 ? messages : [failure ?? tooLarge] };
  }
  const list = await readInventory(stdout, signal);
  return list ? { ...list, messages } : { ...nothing, messages: [tooLarge] };
}

const nothing = { parsed: false, host_count: 0, hosts: [], groups: [] };
const tooLarge = `${program} was stopped: the inventory needs too much memory or time.`;

const environment = (parser: string): Record<string, string> => ({
  ANSIBLE_INVENTORY_ENABLED: parser,
  ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: '1',
  ANSIBLE_NOCOLOR: '1',
});

const commandOf = (
  searchPath: string,
  { dir, home, user }: Workspace,
  path: string,
  own: Record<string, string>,
): Command => ({
  command: limited,
  args: [program, '--list', `--inventory=${path}`],
  cwd: dir,
  env: { PATH: searchPath, HOME: home, LANG: 'C.UTF-8', ...own },
  outputLimit,
  user,
});

/** Ansible breaks its lines at eighty characters; the path of our file says nothing to anybody. */
function messagesOf(text: string, path: string): string[] {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(path, 'inventory')
    .split(/(?:^|\s)(?:\[(?:WARNING|ERROR|DEPRECATION WARNING)\]:|ERROR!)/)
    .map((message) => message.replace(/^[\s*]+/, '').trim())
    .filter((message) => message !== '' && !message.startsWith('Completely failed to parse'));
}
