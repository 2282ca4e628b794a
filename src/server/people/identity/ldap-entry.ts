import type { Entry } from 'ldapts';
import type { Directory } from '../../config/directory-settings.ts';

/** Attribute names are case-insensitive. */
function valuesOf(entry: Entry, name: string): (Buffer | string)[] {
  const key = Object.keys(entry).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? [] : [entry[key] ?? []].flat();
}

export const textsOf = (entry: Entry, name: string): string[] =>
  valuesOf(entry, name).map((value) => value.toString());

/**
 * Whether the values are incomplete: Active Directory sends long lists in ranges, `memberOf;range=0-1499`.
 */
export const isInParts = (entry: Entry, name: string): boolean =>
  Object.keys(entry).some((key) => key.toLowerCase().startsWith(`${name.toLowerCase()};range=`));

/** The id attribute, otherwise the DN. */
export function idOf({ attributes }: Directory, entry: Entry): string {
  const names = attributes.id === undefined ? ['entryUUID', 'objectGUID'] : [attributes.id];
  const [value] = names.flatMap((name) => valuesOf(entry, name));
  if (value === undefined || value.length === 0) return entry.dn.toLowerCase().slice(0, 255);
  return Buffer.isBuffer(value) ? value.toString('hex') : value.slice(0, 255);
}
