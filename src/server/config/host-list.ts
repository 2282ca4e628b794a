// Parses lists of hosts in settings.

import { isIP } from 'node:net';
import { splitList } from '#shared/comma-list.ts';

/** The entries are names or addresses, without ports. */
export const isHostList = (value: string): boolean =>
  splitList(value).every(
    (name) => isIP(name) > 0 || /^[a-z\d](?:[\w.-]{0,253}[a-z\d])?$/i.test(name),
  );
