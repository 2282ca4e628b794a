// Searches the groups of a user with paging, since directories limit the size of results.

import {
  AdminLimitExceededError,
  NoSuchObjectError,
  ResultCodeError,
  SizeLimitExceededError,
  TimeLimitExceededError,
  type Client,
} from 'ldapts';
import type { Directory } from '../../config/directory-settings.ts';
import { fillFilter } from '../../config/ldap-filter.ts';

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
export async function searchGroups(
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
export async function inSearch<T>(
  setting: 'base_dn' | 'group_base_dn',
  search: Promise<T>,
): Promise<T> {
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
