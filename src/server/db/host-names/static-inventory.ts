// Reads the hosts and groups of a static inventory. Invalid parts are skipped; the preview reports them.
// Yields to the event loop, since the text may have megabytes.

import { inPieces } from '../../lib/pieces.ts';

/** Hosts with their groups, including ancestors. */
export type InventoryHosts = Map<string, string[]>;

// A short pattern may expand to millions of hosts: web[1:9999999].
const MAX_HOSTS = 20_000;
const MAX_GROUPS = 5000;
const MAX_GROUPS_OF_HOST = 50;
const MAX_MEMBERSHIPS = 200_000;
const MAX_NAME_LENGTH = 250;
/** A range adds at least one character to a name. */
const MAX_PATTERN_LENGTH = MAX_NAME_LENGTH * 50;

interface Group {
  hosts: Set<string>;
  children: Set<string>;
}

interface ReadState {
  /** The most hosts that are read. */
  maxHosts: number;
  groups: Map<string, Group>;
  hosts: Set<string>;
  memberships: number;
}

/** Implicit groups of every inventory. */
const isOwnGroup = (name: string): boolean => name !== 'all' && name !== 'ungrouped';

/** Empty for types whose text does not contain hosts. */
export const readInventory = (
  type: string,
  text: string,
  maxHosts = MAX_HOSTS,
): Promise<InventoryHosts> => inPieces(reading(type, text, Math.min(maxHosts, MAX_HOSTS)));

function* reading(type: string, text: string, maxHosts: number): Generator<void, InventoryHosts> {
  if (maxHosts <= 0) return new Map();
  const read: ReadState = { maxHosts, groups: new Map(), hosts: new Set(), memberships: 0 };
  if (type === 'static') yield* readIni(text, read);
  else if (type === 'static-yaml') yield* readYaml(text, read);
  return yield* withGroups(read);
}

function groupOf(read: ReadState, name: string): Group {
  const known = read.groups.get(name);
  if (known) return known;
  const group: Group = { hosts: new Set(), children: new Set() };
  if (name.length <= MAX_NAME_LENGTH && read.groups.size < MAX_GROUPS) read.groups.set(name, group);
  return group;
}

function* addHosts(read: ReadState, group: Group, pattern: string): Generator<void, void> {
  for (const name of expand(withoutPort(pattern))) {
    yield;
    if (read.hosts.size >= read.maxHosts && !read.hosts.has(name)) return;
    if (read.memberships >= MAX_MEMBERSHIPS) return;
    read.memberships += 1;
    if (!isHostName(name)) continue;
    read.hosts.add(name);
    group.hosts.add(name);
  }
}

/** Without white space and control characters, and safe as a file name. */
const isHostName = (name: string): boolean =>
  name.length > 0 &&
  name.length <= MAX_NAME_LENGTH &&
  !/[\s\p{Cc}]/u.test(name) &&
  name !== '.' &&
  name !== '..';

/** `db:2222` and `[::1]:2222` have a port; other colons belong to the name. */
function withoutPort(pattern: string): string {
  const [, address = ''] = /^\[([0-9a-f:.]+)\](?::\d+)?$/i.exec(pattern) ?? [];
  if (address.split(':').length > 2) return address;
  const [, name, port] = /^(.*?):(\d+)$/.exec(pattern) ?? [];
  const isPort = name !== undefined && port !== undefined && !/:/.test(name.replace(ranges, ''));
  return isPort ? name : pattern;
}

const ranges = /\[[^[\]]*\]/g;

/** Expands ranges such as `web[01:20:2]-[a:c]` up to the limit. Empty if the names would be too long. */
function* expand(pattern: string): Generator<string> {
  if (pattern.length > MAX_PATTERN_LENGTH) return;
  const texts = pattern.split(ranges);
  const found = pattern.match(ranges) ?? [];
  // Each range adds at least one character.
  if (texts.join('').length + found.length > MAX_NAME_LENGTH) return;
  const parts = found.map((range) => readRange(range.slice(1, -1)));
  if (parts.some(({ count }) => count === 0)) return;
  const { count, first, last } = variedParts(texts, parts);
  for (let index = 0; index < count; index += 1) {
    let rest = index;
    let name = '';
    for (const { count: choices, at, text } of last) {
      name = `${at(rest % choices)}${text}${name}`;
      rest = Math.floor(rest / choices);
    }
    yield first + name;
  }
}

interface Varied {
  /** The number of names, up to the limit. */
  count: number;
  /** The common prefix. */
  first: string;
  /** The varying ranges with their following texts, the last one first. */
  last: (Range & { text: string })[];
}

/** Ranges with one value, and those before enough combinations, are constant. */
function variedParts(texts: string[], parts: Range[]): Varied {
  const last: Varied['last'] = [];
  let text = texts.at(-1) ?? '';
  let count = 1;
  for (let place = parts.length - 1; place >= 0; place -= 1) {
    const range = parts[place] ?? noRange;
    if (range.count === 1 || count >= MAX_HOSTS) text = `${range.at(0)}${text}`;
    else {
      last.push({ ...range, text });
      count *= range.count;
      text = '';
    }
    text = `${texts[place]}${text}`;
  }
  return { count: Math.min(count, MAX_HOSTS), first: text, last };
}

interface Range {
  count: number;
  at: (index: number) => string;
}

const noRange: Range = { count: 0, at: () => '' };
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function readRange(range: string): Range {
  const [from = '', to = '', step = '1', ...more] = range.split(':');
  const by = Number(step);
  if (more.length > 0 || !/^\d{1,9}$/.test(step) || by === 0) return noRange;
  const count = (first: number, last: number) => Math.max(0, Math.floor((last - first) / by) + 1);
  if (/^[a-z]$/i.test(from) && /^[a-z]$/i.test(to)) {
    const [first, last] = [letters.indexOf(from), letters.indexOf(to)];
    return { count: count(first, last), at: (index) => letters.charAt(first + index * by) };
  }
  if (!/^\d{0,15}$/.test(from) || !/^\d{1,15}$/.test(to)) return noRange;
  const width = from.startsWith('0') ? from.length : 0;
  const at = (index: number) => String(Number(from) + index * by).padStart(width, '0');
  return { count: count(Number(from), Number(to)), at };
}

/** A generator, since splitting the whole text would block the event loop. */
function* linesOf(text: string): Generator<string> {
  let from = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
    yield text.slice(from, text[end - 1] === '\r' ? Math.max(from, end - 1) : end);
    from = end + 1;
  }
  yield text.slice(from);
}

function* readIni(text: string, read: ReadState): Generator<void, void> {
  let group = groupOf(read, 'ungrouped');
  let kind = 'hosts';
  for (const line of linesOf(text)) {
    yield;
    const entry = line.trim();
    if (entry === '' || /^[#;]/.test(entry)) continue;
    const [, name, suffix = 'hosts'] = /^\[([^:\]\s]+)(?::(\w+))?\]\s*(?:#.*)?$/.exec(entry) ?? [];
    if (name !== undefined) {
      kind = suffix;
      group = groupOf(read, name);
      continue;
    }
    const first = firstWord(entry);
    if (kind === 'hosts') yield* addHosts(read, group, first);
    else if (kind === 'children' && group.children.size < MAX_GROUPS) group.children.add(first);
  }
}

const firstWord = (entry: string): string =>
  /^"([^"]*)"|^'([^']*)'/.exec(entry)?.slice(1).find(Boolean) ?? /^[^\s#]*/.exec(entry)?.[0] ?? '';

/** A YAML key and the meaning of its children. */
interface Level {
  indent: number;
  holds: 'groups' | 'parts' | 'hosts' | 'variables';
  group: Group | null;
}

/** Null for a line without a key. */
function keyIn(entry: string): string | null {
  const [, double, single, after] = /^(?:"([^"]*)"|'([^']*)')(.*)$/.exec(entry) ?? [];
  if (after !== undefined)
    return /^:(?: |$)/.test(after.trimStart()) ? (double ?? single ?? '') : null;
  if (/^[\s#'"{[&*!|>%@-]/.test(entry)) return null;
  const end = entry.search(/:(?: |$)/);
  const key = entry.slice(0, Math.max(0, end)).trimEnd();
  return key === '' || key.includes('#') ? null : key;
}

/** Reads YAML by indentation. A YAML parser would block the event loop for a second per MiB. */
function* readYaml(text: string, read: ReadState): Generator<void, void> {
  const levels: Level[] = [{ indent: -1, holds: 'groups', group: null }];
  for (const line of linesOf(text)) {
    yield;
    const indent = line.search(/[^ ]/);
    const key = indent < 0 ? null : keyIn(line.slice(indent));
    if (key === null) continue;
    while ((levels.at(-1)?.indent ?? -1) >= indent) levels.pop();
    const above = levels.at(-1);
    if (above) levels.push({ indent, ...(yield* levelIn(above, key, read)) });
  }
}

function* levelIn(
  { holds, group }: Level,
  name: string,
  read: ReadState,
): Generator<void, Omit<Level, 'indent'>> {
  if (holds === 'groups') {
    group?.children.add(name);
    return { holds: 'parts', group: groupOf(read, name) };
  }
  if (holds === 'parts' && name === 'hosts') return { holds: 'hosts', group };
  if (holds === 'parts' && name === 'children') return { holds: 'groups', group };
  if (holds === 'hosts' && group) yield* addHosts(read, group, name);
  return { holds: 'variables', group: null };
}

/** Each host with its groups and their ancestors. */
function* withGroups(read: ReadState): Generator<void, InventoryHosts> {
  const parents = new Map<string, string[]>();
  for (const [name, { children }] of read.groups) {
    yield;
    for (const child of children) {
      const known = parents.get(child);
      if (known) known.push(name);
      else parents.set(child, [name]);
    }
  }
  const found = new Map([...read.hosts].map((host) => [host, new Set<string>()]));
  for (const [name, { hosts }] of read.groups) {
    const above = hosts.size > 0 ? withAbove(name, parents) : [];
    for (const host of hosts) {
      yield;
      const groups = found.get(host) ?? new Set();
      for (const group of above) if (groups.size < MAX_GROUPS_OF_HOST) groups.add(group);
    }
  }
  const sorted: InventoryHosts = new Map();
  for (const [host, groups] of found) {
    yield;
    sorted.set(host, [...groups].toSorted());
  }
  return sorted;
}

/** A group with its ancestors, up to the limit; groups may be cyclic. */
function withAbove(name: string, parents: Map<string, string[]>): string[] {
  const all = new Set([name]);
  for (const one of all) {
    for (const parent of parents.get(one) ?? []) {
      if (all.size >= MAX_GROUPS_OF_HOST) return [...all].filter(isOwnGroup);
      all.add(parent);
    }
  }
  return [...all].filter(isOwnGroup);
}
