// Lets Ansible read the text of an inventory: returns its hosts and groups, or why it cannot be read.
// The text may hold anything, so only the two parsers that execute nothing read it, without keys,
// configuration or other files.

import { fileURLToPath } from 'node:url';
import type { InventoryPreview, InventoryText } from '#shared/api/inventories.ts';
import { readInventory } from '../sandbox/sandbox.ts';
import type { InspectionWorkspace } from './inspection-workspace.ts';
import { runTool, type Command } from '../programs/process.ts';
import type { Workspace } from '../workspace/workspace.ts';

const limited = fileURLToPath(new URL('../programs/limited.sh', import.meta.url));
const program = 'ansible-inventory';

/** The most bytes that Ansible may print. */
const outputLimit = 8 * 1024 * 1024;

// The files have the names that they would have in the run of a task.
const kinds = {
  static: { parser: 'ini', name: 'inventory' },
  'static-yaml': { parser: 'yaml', name: 'inventory.yml' },
} as const;

/** Throws when the signal fires first. */
export async function previewInventory(
  { config, workspace, signal }: InspectionWorkspace,
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

/** Joins the lines that Ansible breaks at eighty characters, and hides the path of the temporary file. */
function messagesOf(text: string, path: string): string[] {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(path, 'inventory')
    .split(/(?:^|\s)(?:\[(?:WARNING|ERROR|DEPRECATION WARNING)\]:|ERROR!)/)
    .map((message) => message.replace(/^[\s*]+/, '').trim())
    .filter((message) => message !== '' && !message.startsWith('Completely failed to parse'));
}
