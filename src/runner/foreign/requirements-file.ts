// What a requirements.yml asks for.

import { parse as parseYaml } from 'yaml';
import type { Requirement } from './orders.ts';

const both: Requirement[] = ['collection', 'role'];

/** A list names roles; a mapping has a list of either. Anything else is for Ansible to refuse. */
export function asksFor(text: string): Requirement[] {
  let content: unknown;
  try {
    // Whether a key is there twice is for Ansible to say, and takes long to find out.
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
