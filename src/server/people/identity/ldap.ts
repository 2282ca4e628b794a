// The directory: finds the entry of a login, and checks its password.
//
// Typed text becomes a value in a parsed filter, never a part of the filter's text. Each check uses two
// connections: one that searches, and a new one that binds with the password and is then closed.

import { isIP, connect } from 'node:net';
import {
  AndFilter,
  Client,
  ConstraintViolationError,
  EqualityFilter,
  FilterParser,
  InappropriateAuthError,
  InsufficientAccessError,
  InvalidCredentialsError,
  NotFilter,
  OrFilter,
  SizeLimitExceededError,
  SubstringFilter,
  UnwillingToPerformError,
  type Entry,
  type Filter,
} from 'ldapts';
import type { Directory } from '../../config/directory-settings.ts';

/** The entry of somebody whose password was correct. */
export interface DirectoryEntry {
  dn: string;
  /** The identifier of the entry, which never changes. */
  id: string;
  username: string;
  name: string;
  email: string;
  /** The DNs of the groups. */
  groups: string[];
}

/** The entry of a login; null when there is not exactly one entry or the password is wrong. Throws when the directory cannot be reached. */
export async function checkAtDirectory(
  directory: Directory,
  login: string,
  password: string,
): Promise<DirectoryEntry | null> {
  // A bind without a password is anonymous, and succeeds in every directory.
  if (password === '' || login === '') return null;
  return withClient(directory, async (client) => {
    await bindToSearch(directory, client);
    const entry = await findEntry(directory, client, login);
    if (!entry || !(await isPassword(directory, entry.dn, password))) return null;
    const groups = textsOf(entry, directory.attributes.groups);
    const searched = await searchGroups(directory, client, entry.dn);
    const text = (name: string): string => textsOf(entry, name)[0]?.trim().slice(0, 255) ?? '';
    const { username, name, email } = directory.attributes;
    return {
      dn: entry.dn,
      id: idOf(directory, entry),
      username: text(username),
      name: text(name),
      email: text(email),
      groups: [...new Set([...groups, ...searched])],
    };
  });
}

/** Connects and binds; throws when the directory cannot be reached or refuses the bind. */
export async function connectToDirectory(directory: Directory): Promise<void> {
  await withClient(directory, (client) => bindToSearch(directory, client));
}

async function withClient<T>(
  directory: Directory,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = openClient(directory);
  try {
    if (directory.start_tls) await client.startTLS(tlsOf(directory));
    return await work(client);
  } finally {
    await client.unbind().catch(() => undefined);
  }
}

function openClient(directory: Directory): Client {
  const timeout = directory.timeout_s * 1000;
  let isOpened = false;
  // The library would reconnect by itself, and then without TLS.
  const once = (port: number, host: string) => {
    if (isOpened) throw new Error('the connection to the directory was lost');
    isOpened = true;
    return connect(port, host);
  };
  return new Client({
    url: directory.url,
    timeout,
    connectTimeout: timeout,
    strictDN: false,
    ...(directory.url.startsWith('ldaps:')
      ? { tlsOptions: tlsOf(directory) }
      : { createConnection: once as typeof connect }),
  });
}

function tlsOf({ url, ca }: Directory) {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: true,
    ...(ca !== null && { ca }),
  };
}

async function bindToSearch({ bind_dn: dn, bind_password: password }: Directory, client: Client) {
  if (dn !== '') await client.bind(dn, password);
}

async function findEntry(
  directory: Directory,
  client: Client,
  login: string,
): Promise<Entry | null> {
  const { username, name, email, groups, id } = directory.attributes;
  const ids = id === undefined ? ['entryUUID', 'objectGUID'] : [id];
  try {
    const { searchEntries } = await client.search(directory.base_dn, {
      scope: 'sub',
      filter: filledIn(directory.user_filter, '{login}', login),
      sizeLimit: 2,
      timeLimit: directory.timeout_s,
      attributes: [username, name, email, groups, ...ids],
      explicitBufferAttributes: ['objectGUID'],
    });
    return searchEntries.length === 1 ? (searchEntries[0] ?? null) : null;
  } catch (error) {
    if (error instanceof SizeLimitExceededError) return null;
    throw error;
  }
}

// The errors with which directories refuse a wrong password or a locked account.
const refusals = [
  InvalidCredentialsError,
  InappropriateAuthError,
  UnwillingToPerformError,
  ConstraintViolationError,
  InsufficientAccessError,
];

async function isPassword(directory: Directory, dn: string, password: string): Promise<boolean> {
  return withClient(directory, async (client) => {
    try {
      await client.bind(dn, password);
      return true;
    } catch (error) {
      if (refusals.some((refusal) => error instanceof refusal)) return false;
      throw error;
    }
  });
}

async function searchGroups(directory: Directory, client: Client, dn: string): Promise<string[]> {
  if (directory.group_base_dn === undefined) return [];
  const { searchEntries } = await client.search(directory.group_base_dn, {
    scope: 'sub',
    filter: filledIn(directory.group_filter, '{dn}', dn),
    sizeLimit: 1000,
    timeLimit: directory.timeout_s,
    attributes: ['1.1'],
  });
  return searchEntries.map((entry) => entry.dn);
}

/** A filter whose placeholder is replaced by a text. The text is a value, whatever characters it has. */
export function filledIn(template: string, placeholder: string, text: string): Filter {
  const put = <T extends Buffer | string>(value: T): T | string =>
    typeof value === 'string' ? value.replaceAll(placeholder, () => text) : value;
  const fill = (filter: Filter): Filter => {
    if (filter instanceof AndFilter || filter instanceof OrFilter) filter.filters.forEach(fill);
    else if (filter instanceof NotFilter) fill(filter.filter);
    else if (filter instanceof EqualityFilter) filter.value = put(filter.value);
    else if (filter instanceof SubstringFilter) {
      filter.initial = put(filter.initial);
      filter.any = filter.any.map(put);
      filter.final = put(filter.final);
    }
    return filter;
  };
  return fill(FilterParser.parseString(template));
}

/** The values of an attribute; directories may write its name in any case. */
function valuesOf(entry: Entry, name: string): (Buffer | string)[] {
  const key = Object.keys(entry).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? [] : [entry[key] ?? []].flat();
}

const textsOf = (entry: Entry, name: string): string[] =>
  valuesOf(entry, name).map((value) => value.toString());

function idOf({ attributes }: Directory, entry: Entry): string {
  const names = attributes.id === undefined ? ['entryUUID', 'objectGUID'] : [attributes.id];
  const [value] = names.flatMap((name) => valuesOf(entry, name));
  if (value === undefined || value.length === 0) return entry.dn.toLowerCase().slice(0, 255);
  return Buffer.isBuffer(value) ? value.toString('hex') : value.slice(0, 255);
}
