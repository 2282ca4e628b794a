// Converts the output of `ansible-inventory --list` into the hosts and groups of a preview.

import type { InventoryPreview } from '#shared/api/inventories.ts';

const MAX_HOSTS = 200;

interface Group {
  hosts?: string[];
  children?: string[];
}
type List = Record<string, Group> & {
  _meta?: { hostvars?: Record<string, Record<string, unknown>> };
};

export function readInventory(text: string): Omit<InventoryPreview, 'messages'> {
  const { _meta: meta, ...all } = JSON.parse(text) as List;
  const groups = Object.entries(all)
    .map(([name, { hosts = [], children = [] }]) => ({ name, hosts, children }))
    .filter(({ name, hosts }) => name !== 'ungrouped' || hosts.length > 0);
  const names = [...new Set(groups.flatMap(({ hosts }) => hosts))];
  const shown = names.slice(0, MAX_HOSTS);
  const isShown = new Set(shown);
  return {
    parsed: true,
    host_count: names.length,
    hosts: shown.map((name) => ({ name, variables: meta?.hostvars?.[name] ?? {} })),
    groups: groups
      .filter(({ name }) => name !== 'all')
      .map(({ hosts, ...group }) => ({
        ...group,
        host_count: hosts.length,
        hosts: hosts.filter((host) => isShown.has(host)),
      })),
  };
}
