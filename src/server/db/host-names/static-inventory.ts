// Reads the names of hosts and groups in the text of a static inventory. What Ansible would refuse
// is left out: a list of hosts need not tell what is wrong with an inventory, as its preview does.
// The text may have megabytes, so other requests are answered between its pieces.

import { inPieces } from '../../lib/pieces.ts';

/** The hosts of an inventory with the names of their groups, those above their own groups too. */
export type InventoryHosts = Map<string, string[]>;

// Few characters can name millions of hosts: web[1:9999999].
const MAX_HOSTS = 20_000;
const MAX_GROUPS = 5000;
const MAX_GROUPS_OF_HOST = 50;
const MAX_MEMBERSHIPS = 200_000;
const MAX_NAME_LENGTH = 250;
/** A range makes a character at least, and has at most so many. */
const MAX_PATTERN_LENGTH = MAX_NAME_LENGTH * 50;

interface Group {
  hosts: Set<string>;
  children: Set<string>;
}

interface ReadState {
  /** How many hosts are read at most. */
  most: number;
  groups: Map<string, Group>;
  hosts: Set<string>;
  memberships: number;
}

/** Everything is in `all`, and what is in no other group is in `ungrouped`. */
const isOwnGroup = (name: string): boolean => name !== 'all' && name !== 'ungrouped';

/**
 * Reads an inventory of this type, at most `most` hosts of it; none for types whose hosts the text does
 * not name.
 */
export const readInventory = (
  type: string,
  text: string,
  most = MAX_HOSTS,
): Promise<InventoryHosts> => inPieces(reading(type, text, Math.min(most, MAX_HOSTS)));

function* reading(type: string, text: string, most: number): Generator<void, InventoryHosts> {
  if (most <= 0) return new Map();
  const read: ReadState = { most, groups: new Map(), hosts: new Set(), memberships: 0 };
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
    if (read.hosts.size >= read.most && !read.hosts.has(name)) return;
    if (read.memberships >= MAX_MEMBERSHIPS) return;
    read.memberships += 1;
    if (!isHostName(name)) continue;
    read.hosts.add(name);
    group.hosts.add(name);
  }
}

/** A name without white space and control characters, which is neither of the names of folders. */
const isHostName = (name: string): boolean =>
  name.length > 0 &&
  name.length <= MAX_NAME_LENGTH &&
  !/[\s\p{Cc}]/u.test(name) &&
  name !== '.' &&
  name !== '..';

/** `db:2222` and `[::1]:2222` name a port; the colons of other names belong to them. */
function withoutPort(pattern: string): string {
  const [, address = ''] = /^\[([0-9a-f:.]+)\](?::\d+)?$/i.exec(pattern) ?? [];
  if (address.split(':').length > 2) return address;
  const [, name, port] = /^(.*?):(\d+)$/.exec(pattern) ?? [];
  const isPort = name !== undefined && port !== undefined && !/:/.test(name.replace(ranges, ''));
  return isPort ? name : pattern;
}

const ranges = /\[[^[\]]*\]/g;

/**
 * All names of a pattern with ranges, such as `web[01:20:2]-[a:c]`, at most as many as are read. None if
 * they would be too long for names of hosts.
 */
function* expand(pattern: string): Generator<string> {
  if (pattern.length > MAX_PATTERN_LENGTH) return;
  const texts = pattern.split(ranges);
  const found = pattern.match(ranges) ?? [];
  // Each range adds a character at least.
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
  /** How many names there are, at most as many as are read. */
  count: number;
  /** What all of these names begin with. */
  first: string;
  /** The ranges that vary in these names with the texts behind them, the last one first. */
  last: (Range & { text: string })[];
}

/** The ranges of one choice, and those before the ranges that make enough names, vary in no name. */
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

/** One line after the other, since a list of all would be made at a stretch. */
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

/** A key of YAML with the meaning of those inside it. */
interface Level {
  indent: number;
  holds: 'groups' | 'parts' | 'hosts' | 'variables';
  group: Group | null;
}

/** The key of a line without its indentation; null: the line has none. */
function keyIn(entry: string): string | null {
  const [, double, single, after] = /^(?:"([^"]*)"|'([^']*)')(.*)$/.exec(entry) ?? [];
  if (after !== undefined)
    return /^:(?: |$)/.test(after.trimStart()) ? (double ?? single ?? '') : null;
  if (/^[\s#'"{[&*!|>%@-]/.test(entry)) return null;
  const end = entry.search(/:(?: |$)/);
  const key = entry.slice(0, Math.max(0, end)).trimEnd();
  return key === '' || key.includes('#') ? null : key;
}

/**
 * Reads YAML by the indentation of its keys, as people write inventories. A parser of YAML takes a
 * second for each MiB, in which this server would do nothing else.
 */
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

/** Each host with all its groups: those that contain it, those that contain these, and so on. */
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

/** A group and those above it, at most as many as a host may have; groups may contain each other. */
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
