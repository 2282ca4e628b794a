// Finds out whether a requirements.yml lists roles, collections or both, and whether their sources are
// local files, whose content can change while the requirements stay the same.

import { isAbsolute } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { stateOf } from './inside.ts';
import type { ReadFile, Requirement } from './commands.ts';

const both: Requirement[] = ['collection', 'role'];

/** A list names roles; a mapping has a list of each kind. Ansible refuses everything else. */
export function readRequirements(text: string): Pick<ReadFile, 'asksFor' | 'localSources'> {
  let content: unknown;
  try {
    // Ansible itself refuses duplicate keys, and checking for them here takes long.
    content = parseYaml(text, { uniqueKeys: false });
  } catch {
    return { asksFor: both, localSources: [] };
  }
  if (Array.isArray(content)) {
    return { asksFor: content.length > 0 ? ['role'] : [], localSources: localOf(content) };
  }
  const lists = both.flatMap((kind) => {
    const list = (content as Record<string, unknown> | null)?.[`${kind}s`];
    return Array.isArray(list) && list.length > 0 ? [{ kind, list: list as unknown[] }] : [];
  });
  const entries = lists.flatMap(({ list }) => list);
  return { asksFor: lists.map(({ kind }) => kind), localSources: localOf(entries) };
}

/** A place at another server has a scheme, or a user and a host. */
const remote = /^(?:(?!file:)[a-z][a-z\d+.-]*:\/\/|[\w.-]+@[\w.-]+:)/i;
/** The name of a role or collection of Galaxy; one that ends as an archive may be a file. */
const published = /^\w[\w-]*(?:\.\w[\w-]*){0,2}$/;
const archive = /\.(?:tar|gz|tgz|bz2|xz|zip)$/i;

/** Whatever is not known to be elsewhere counts as local: to install again is no harm. */
function localOf(entries: unknown[]): string[] | null {
  const local = entries.flatMap(placesOf).filter(isLocal);
  return local.length === 0 ? null : local.flatMap(stateOutside);
}

function isLocal(place: string): boolean {
  const path = withoutScm(place);
  if (remote.test(path)) return false;
  return archive.test(path) || !published.test(path);
}

const withoutScm = (place: string): string => place.trim().replace(/^(?:git|hg)\+/i, '');

/** The texts of an entry that Ansible can take for a place; an included file is one of the checkout. */
function placesOf(entry: unknown): string[] {
  if (typeof entry === 'string') return [entry.split(',')[0] ?? ''];
  if (typeof entry !== 'object' || entry === null) return [];
  const { include, src, source, name } = entry as Record<string, unknown>;
  // An included file lies in the checkout, whatever it is called.
  const included = typeof include === 'string' ? [`./${include}`] : [];
  // With `src`, the name is only what the role is called here.
  const others = src === undefined ? [source, name] : [src, source];
  return [...included, ...others.filter((place) => typeof place === 'string')];
}

/** The state of a file or folder outside of the checkout. */
function stateOutside(place: string): string[] {
  const path = withoutScm(place).replace(/^file:(?:\/\/)?/i, '');
  if (!isAbsolute(path)) return [];
  return [`${path} ${stateOf(path)}`];
}
