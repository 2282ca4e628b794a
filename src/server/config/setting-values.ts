// The type of a setting, and the kinds of value that several settings accept.

import { isIP } from 'node:net';
import { splitList } from '#shared/comma-list.ts';

export interface Setting {
  name: string;
  /** The value if none is given; undefined if there is none. */
  initial?: string;
  /** What the setting accepts, in the words of the message that refuses other values. */
  holds: string;
  about: string;
  /** Whether it is a secret: never printed, and may also be given as NAME_FILE. */
  secret?: boolean;
  accepts: (value: string) => boolean;
}

export const isMasterKey = (value: string): boolean =>
  /^[A-Za-z0-9+/]{43}=$/.test(value) && Buffer.from(value, 'base64').length === 32;

export const anything = (value: string): boolean => value.length > 0;
export const onOff = (value: string): boolean => value === 'on' || value === 'off';
export const wholeNumber =
  (min: number, max: number) =>
  (value: string): boolean =>
    /^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max;

export function isWebAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

export function isMailServer(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return /^smtps?:$/.test(protocol) && hostname !== '';
}

export const isPostgres = (value: string): boolean =>
  URL.canParse(value) && /^postgres(?:ql)?:$/.test(new URL(value).protocol);

/** The entries are names or addresses of hosts, without ports. */
export const isHostList = (value: string): boolean =>
  splitList(value).every(
    (name) => isIP(name) > 0 || /^[a-z\d](?:[\w.-]{0,253}[a-z\d])?$/i.test(name),
  );
