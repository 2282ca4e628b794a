// Finds out whether a requirements.yml lists roles, collections or both.

import { parse as parseYaml } from 'yaml';
import type { Requirement } from './orders.ts';

const both: Requirement[] = ['collection', 'role'];

/** A list names roles; a mapping has a list of each kind. Ansible refuses everything else. */
export function asksFor(text: string): Requirement[] {
  let content: unknown;
  try {
    // Ansible itself refuses duplicate keys, and checking for them here takes long.
    content = parseYaml(text, { uniqueKeys: false });
  } catch {
    return both;
  }
  if (Array.isArray(content)) return content.length > 0 ? ['role'] : [];
  return both.filter((kind) => {
    const list = (content as Record<string, unknown> | null)?.[`${kind}s`];
    return Array.isArray(list) && list.length > 0;
  });
}
