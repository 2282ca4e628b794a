// Lists of hosts in settings.

import { isIP } from 'node:net';

/** The entries of a list with commas. */
export const listOf = (value: string): string[] =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

/** Names or addresses, without ports. */
export const isHostList = (value: string): boolean =>
  listOf(value).every((name) => isIP(name) > 0 || /^[a-z\d](?:[\w.-]{0,253}[a-z\d])?$/i.test(name));
