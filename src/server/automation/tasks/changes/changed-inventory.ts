// Compares the inventories of two tasks: which hosts were added or removed, as far as the text of an
// inventory can be parsed without Ansible.

import type { TaskChange } from '#shared/api/task-changes.ts';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import { changeOf, hidden, type Pair, shownValue } from './compare.ts';

type Inventory = TaskSnapshot['inventory'];

const MAX_HOSTS = 50;
const MAX_NAME_LENGTH = 250;

export function changedInventory({ before, after }: Pair<Inventory>): TaskChange[] {
  if (before === null || after === null || before.inventory === after.inventory) return [];
  if (before.type !== after.type) return [textChange];
  if (after.type === 'static') return changedHosts(before.inventory, after.inventory);
  if (after.type === 'static-yaml') return [textChange];
  // The path of a file, or the name of a workspace.
  const texts = { before: before.inventory, after: after.inventory };
  const shown = Object.values(texts).map((text) => shownValue('', text));
  if (shown.includes(null)) return [textChange];
  return [changeOf({ kind: 'inventory', what: '', ...texts })];
}

const textChange = hidden({ kind: 'inventory', what: '' });

function changedHosts(before: string, after: string): TaskChange[] {
  const [old, next] = [readHosts(before), readHosts(after)];
  const added = [...next.hosts].filter((host) => !old.hosts.has(host));
  const removed = [...old.hosts].filter((host) => !next.hosts.has(host));
  const changed = new Set([...added, ...removed]);
  const changes = [
    ...added.map((what) => hidden({ kind: 'host', what }, 'added')),
    ...removed.map((what) => hidden({ kind: 'host', what }, 'removed')),
  ];
  const rest = ({ lines }: ParsedInventory): string =>
    lines
      .filter(({ host }) => host === null || !changed.has(host))
      .map(({ text }) => text)
      .join('\n');
  const isAll = changes.length <= MAX_HOSTS && rest(old) === rest(next);
  return [...changes.slice(0, MAX_HOSTS), ...(isAll ? [] : [textChange])];
}

interface ParsedInventory {
  hosts: Set<string>;
  lines: { text: string; host: string | null }[];
}

/** Reads the INI format: a host is the first word of a line of a group that has no suffix. */
function readHosts(text: string): ParsedInventory {
  const lines: ParsedInventory['lines'] = [];
  let isGroup = true;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const isHeading = line.startsWith('[') && line.endsWith(']');
    if (isHeading) isGroup = !line.includes(':');
    const isHost = isGroup && !isHeading;
    lines.push({ text: line, host: isHost ? hostOf(line) : null });
  }
  return { lines, hosts: new Set(lines.flatMap(({ host }) => host ?? [])) };
}

const hostOf = (line: string): string | null =>
  /^[^\s#=]+(?=\s|$)/.exec(line)?.[0].slice(0, MAX_NAME_LENGTH) ?? null;
