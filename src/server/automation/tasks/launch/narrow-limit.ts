// Narrows the limit of a run of Ansible to some of the hosts that the run has named. The result selects
// no other hosts, and none that the limit does not select.
//
// Ansible reads a limit as a list of patterns: the union of all hosts that they select, intersected with
// each pattern after `&`, without the hosts of patterns after `!`.

import { isIPv6 } from 'node:net';
import { splitLimit } from './split-limit.ts';

/** The names of groups that every inventory has, which Ansible never resolves to hosts. */
export const isReserved = (host: string): boolean => host === 'all' || host === 'ungrouped';

/** Whether the name as a pattern selects exactly the host of this name. */
const isPlain = (name: string): boolean =>
  /^[\w.-]+$/.test(name) || (isIPv6(name) && /^[\da-f:]+$/i.test(name));

/** A Python regular expression for exactly these names, without characters that separate patterns. */
const exactly = (names: string[]): string => `~^(${names.map(escaped).join('|')})\\Z`;

function escaped(name: string): string {
  return name.replaceAll(/[^\w-]/gu, (sign) => {
    const code = (sign.codePointAt(0) ?? 0).toString(16);
    if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
    return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
  });
}

/**
 * The limit that selects these hosts, as far as the given limit does; an empty one selects all hosts.
 * No name may be a reserved one.
 */
export function narrowLimit(limit: string, hosts: string[]): string {
  const parts = splitLimit(limit);
  const regular = parts.filter((part) => !/^[!&]/.test(part));
  const others = parts.filter((part) => /^[!&]/.test(part));
  const within = areNamed(hosts, regular) ? [] : intersectionWith(regular);
  const narrowed = within
    ? [...selectionOf(hosts), ...within, ...others]
    : [...parts, `&${exactly(hosts)}`];
  const text = narrowed.join(',');
  // The comma keeps Ansible from splitting a single pattern elsewhere.
  return text.includes(',') ? text : `${text},`;
}

/**
 * Whether the names of the hosts can replace the limit. Ansible fails when a pattern such as `web[9]`
 * names a host that a group lacks, and has to fail with the narrowed limit too.
 */
const areNamed = (hosts: string[], regular: string[]): boolean =>
  hosts.every((host) => regular.includes(host)) &&
  regular.every((part) => hosts.includes(part) || !/\[-?\d+\]$/.test(part));

/**
 * The patterns of these hosts. Ansible resolves a plain name to the host of this name, even if a group
 * has the same name; a regular expression would select the hosts of the group too.
 */
function selectionOf(hosts: string[]): string[] {
  const odd = hosts.filter((host) => !isPlain(host));
  return [...hosts.filter(isPlain), ...(odd.length > 0 ? [exactly(odd)] : [])];
}

/** The pattern that intersects with the union of these; null: Ansible has no such pattern. */
function intersectionWith(regular: string[]): string[] | null {
  const [only, ...further] = regular;
  if (only === undefined) return [];
  if (further.length === 0) return only.startsWith('@') ? null : [`&${only}`];
  if (!regular.every((part) => /^[\w.*?-]+$/.test(part))) return null;
  const any = regular.map((part) =>
    escaped(part).replaceAll('\\x2a', '.*').replaceAll('\\x3f', '.'),
  );
  return [`&~^(${any.join('|')})\\Z`];
}

/** The last limit among the arguments of `ansible-playbook`; empty: none. */
export function limitOf(args: string[]): string {
  let found = '';
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (arg === '--') break;
    const text = /^(?:--lim(?:i|it)?=|-[hvCDKkbJ]*l=?)(.*)$/s.exec(arg)?.[1];
    if (text) found = text;
    else if (text === '' || /^--lim(?:i|it)?$/.test(arg)) {
      found = arg.endsWith('=') ? '' : (args[index + 1] ?? '');
    }
  }
  return found;
}
