// LDAP: finds the entry of a login and checks its password.
//
// User input becomes a value of a parsed filter, which prevents injection. Each check uses one connection
// for searches and another for the bind with the password.

import { isIP, connect } from 'node:net';
import {
  Client,
  ConstraintViolationError,
  InappropriateAuthError,
  InsufficientAccessError,
  InvalidCredentialsError,
  SizeLimitExceededError,
  UnwillingToPerformError,
  type Entry,
  AdminLimitExceededError,
  NoSuchObjectError,
  ResultCodeError,
  TimeLimitExceededError,
} from 'ldapts';
import { isEmailAddress } from '#shared/api/users.ts';
import type { Directory } from '../../config/directory-settings.ts';
import { fillFilter } from '../../config/ldap-filter.ts';

export interface DirectoryEntry {
  dn: string;
  /** Stable over time. */
  id: string;
  username: string;
  name: string;
  /** Empty when no attribute has an address. */
  email: string;
  /** Whether it is the value of the first attribute. */
  isMainEmail: boolean;
  groups: string[];
  /** Whether the list of groups is complete. */
  hasAllGroups: boolean;
}

/**
 * Returns null for an unknown or ambiguous login or a wrong password. Throws when the directory is
 * unreachable, and SearchError when it refuses a search.
 */
export async function checkAtDirectory(
  directory: Directory,
  login: string,
  password: string,
): Promise<DirectoryEntry | null> {
  // A bind without a password is anonymous and always succeeds.
  if (password === '' || login === '') return null;
  return withClient(directory, async (client) => {
    await bindToSearch(directory, client);
    const entry = await findEntry(directory, client, login);
    if (!entry || !(await isPassword(directory, entry.dn, password))) return null;
    const { username, name, email, groups } = directory.attributes;
    const text = (of: string): string => textsOf(entry, of)[0]?.trim().slice(0, 255) ?? '';
    const person = { dn: entry.dn, username: text(username) || login };
    const searched = await searchGroups(directory, client, person);
    return {
      dn: entry.dn,
      id: idOf(directory, entry),
      username: text(username),
      name: text(name),
      ...addressOf(email.map(text)),
      groups: [...new Set([...textsOf(entry, groups), ...searched.groups])],
      hasAllGroups: searched.isWhole && !isInParts(entry, groups),
    };
  });
}

function addressOf(texts: string[]): Pick<DirectoryEntry, 'email' | 'isMainEmail'> {
  const at = texts.findIndex(isEmailAddress);
  return { email: texts[at] ?? '', isMainEmail: at === 0 };
}

/** Connects, binds and searches like a sign-in; throws on failure. */
export async function tryDirectory(directory: Directory): Promise<void> {
  await withClient(directory, async (client) => {
    await bindToSearch(directory, client);
    const { base_dn: dn } = directory;
    await findEntry(directory, client, dn);
    await searchGroups(directory, client, { dn, username: dn });
  });
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
  // Prevents the reconnect of the library, which would not use TLS.
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
    const search = client.search(directory.base_dn, {
      scope: 'sub',
      filter: fillFilter(directory.user_filter, { '{login}': login }),
      sizeLimit: 2,
      timeLimit: directory.timeout_s,
      attributes: [username, name, ...email, groups, ...ids],
      explicitBufferAttributes: ['objectGUID'],
    });
    const { searchEntries } = await inSearch('base_dn', search);
    return searchEntries.length === 1 ? (searchEntries[0] ?? null) : null;
  } catch (error) {
    if (error instanceof SizeLimitExceededError) return null;
    throw error;
  }
}

// Results for a wrong password or a locked account.
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

/** Attribute names are case-insensitive. */
function valuesOf(entry: Entry, name: string): (Buffer | string)[] {
  const key = Object.keys(entry).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? [] : [entry[key] ?? []].flat();
}

const textsOf = (entry: Entry, name: string): string[] =>
  valuesOf(entry, name).map((value) => value.toString());

/** Active Directory sends long lists in ranges: `memberOf;range=0-1499`. */
const isInParts = (entry: Entry, name: string): boolean =>
  Object.keys(entry).some((key) => key.toLowerCase().startsWith(`${name.toLowerCase()};range=`));

/** The id attribute, otherwise the DN. */
function idOf({ attributes }: Directory, entry: Entry): string {
  const names = attributes.id === undefined ? ['entryUUID', 'objectGUID'] : [attributes.id];
  const [value] = names.flatMap((name) => valuesOf(entry, name));
  if (value === undefined || value.length === 0) return entry.dn.toLowerCase().slice(0, 255);
  return Buffer.isBuffer(value) ? value.toString('hex') : value.slice(0, 255);
}

// Searches the groups of a user with paging, since directories limit the size of results.

// Below the limits of all directories, some of which ignore larger pages.
const PAGE_SIZE = 100;
const MAX_GROUPS = 20_000;

// Results that exceed a limit of the directory.
const limits = [SizeLimitExceededError, TimeLimitExceededError, AdminLimitExceededError];
const isLimit = (error: unknown): boolean => limits.some((limit) => error instanceof limit);

interface FoundGroups {
  groups: string[];
  /** False when the directory truncated the result. */
  isWhole: boolean;
}

/** Empty when no group search is configured. */
async function searchGroups(
  directory: Directory,
  client: Client,
  { dn, username }: { dn: string; username: string },
): Promise<FoundGroups> {
  const groups: string[] = [];
  if (directory.group_base_dn === undefined) return { groups, isWhole: true };
  const pages = client.searchPaginated(directory.group_base_dn, {
    scope: 'sub',
    filter: fillFilter(directory.group_filter, { '{dn}': dn, '{username}': username }),
    paged: { pageSize: PAGE_SIZE },
    timeLimit: directory.timeout_s,
    attributes: ['1.1'],
  });
  const read = async (): Promise<boolean> => {
    for await (const { searchEntries } of pages) {
      groups.push(...searchEntries.map((entry) => entry.dn));
      if (groups.length > MAX_GROUPS) return false;
    }
    return true;
  };
  try {
    return { groups, isWhole: await inSearch('group_base_dn', read()) };
  } catch (error) {
    if (isLimit(error)) return { groups, isWhole: false };
    throw error;
  }
}

/** The directory refuses a search; the message names the setting. */
export class SearchError extends Error {}

/** Throws SearchError when the directory refuses a search for another reason than a limit. */
async function inSearch<T>(setting: 'base_dn' | 'group_base_dn', search: Promise<T>): Promise<T> {
  try {
    return await search;
  } catch (error) {
    if (!(error instanceof ResultCodeError) || isLimit(error)) throw error;
    throw new SearchError(`${setting}: ${reasonOf(error)}`, { cause: error });
  }
}

const referral = 10;

function reasonOf(error: ResultCodeError): string {
  if (error.code === referral) {
    return 'the directory has no entries there and refers to another server (a referral, which is not followed); name the server that has them in url, or an entry that this one has';
  }
  if (error instanceof NoSuchObjectError) {
    return 'the directory has no such entry, or does not show it to the user of bind_dn';
  }
  return error.message;
}
