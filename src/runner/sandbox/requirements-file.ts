// Parses a requirements.yml: whether it lists roles, collections or both, and whether their sources are local files,
// whose content can change while the requirements do not.

import { isAbsolute } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { stateOf } from './inside.ts';
import type { ReadFile, Requirement } from './commands.ts';

const both: Requirement[] = ['collection', 'role'];

/** A list has roles; a mapping has a list of each kind. Ansible refuses other forms. */
export function readRequirements(text: string): Pick<ReadFile, 'asksFor' | 'localSources'> {
  let content: unknown;
  try {
    // Ansible itself refuses duplicate keys, and the check is slow.
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

/** A remote source has a scheme, or a user and a host. */
const remote = /^(?:(?!file:)[a-z][a-z\d+.-]*:\/\/|[\w.-]+@[\w.-]+:)/i;
/** The name of a role or collection of Galaxy; one with the extension of an archive may be a file. */
const published = /^\w[\w-]*(?:\.\w[\w-]*){0,2}$/;
const archive = /\.(?:tar|gz|tgz|bz2|xz|zip)$/i;

/** Unknown forms count as local, which only costs an installation. */
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

/** The texts of an entry that Ansible may use as a source. */
function placesOf(entry: unknown): string[] {
  if (typeof entry === 'string') return [entry.split(',')[0] ?? ''];
  if (typeof entry !== 'object' || entry === null) return [];
  const { include, src, source, name } = entry as Record<string, unknown>;
  // An included file lies in the checkout, whatever its name.
  const included = typeof include === 'string' ? [`./${include}`] : [];
  // With `src`, the name is not a source.
  const others = src === undefined ? [source, name] : [src, source];
  return [...included, ...others.filter((place) => typeof place === 'string')];
}

function stateOutside(place: string): string[] {
  const path = withoutScm(place).replace(/^file:(?:\/\/)?/i, '');
  return isAbsolute(path) ? [`${path} ${stateOf(path)}`] : [];
}
