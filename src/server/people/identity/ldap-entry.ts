// Reads the attributes of an entry of the directory.

import type { Entry } from 'ldapts';
import type { Directory } from '../../config/directory-settings.ts';

/** The values of an attribute; directories may write its name in any case. */
function valuesOf(entry: Entry, name: string): (Buffer | string)[] {
  const key = Object.keys(entry).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? [] : [entry[key] ?? []].flat();
}

/** The values of an attribute as texts. */
export const textsOf = (entry: Entry, name: string): string[] =>
  valuesOf(entry, name).map((value) => value.toString());

/** Whether the directory has sent only a part of the values, as Active Directory does with thousands: `memberOf;range=0-1499`. */
export const isInParts = (entry: Entry, name: string): boolean =>
  Object.keys(entry).some((key) => key.toLowerCase().startsWith(`${name.toLowerCase()};range=`));

/** The identifier of the entry: that of its attribute, otherwise the DN. */
export function idOf({ attributes }: Directory, entry: Entry): string {
  const names = attributes.id === undefined ? ['entryUUID', 'objectGUID'] : [attributes.id];
  const [value] = names.flatMap((name) => valuesOf(entry, name));
  if (value === undefined || value.length === 0) return entry.dn.toLowerCase().slice(0, 255);
  return Buffer.isBuffer(value) ? value.toString('hex') : value.slice(0, 255);
}
