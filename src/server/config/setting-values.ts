import { isIP } from 'node:net';
import { splitList } from '#shared/comma-list.ts';

/** By their names. */
export type Settings = Record<string, Omit<Setting, 'name'>>;

export interface Setting {
  name: string;
  /** The default. */
  initial?: string;
  /** The accepted values, as in the error message. */
  holds: string;
  about: string;
  /** Never printed; may also be given as NAME_FILE. */
  secret?: boolean;
  accepts: (value: string) => boolean;
}

export const isMasterKey = (value: string): boolean =>
  /^[A-Za-z0-9+/]{43}=$/.test(value) && Buffer.from(value, 'base64').length === 32;

export const anything = (value: string): boolean => value.length > 0;
export const isAbsolutePath = (value: string): boolean => value.startsWith('/');

/** Host names or addresses, without ports. */
export const isHostList = (value: string): boolean =>
  splitList(value).every(
    (name) => isIP(name) > 0 || /^[a-z\d](?:[\w.-]{0,253}[a-z\d])?$/i.test(name),
  );

export const oneOf = (values: readonly string[]) => ({
  holds: `one of ${values.join(', ')}`,
  accepts: (value: string) => values.includes(value),
});
export const onOff = { ...oneOf(['on', 'off']), holds: 'on or off' };
const isNumber = (min: number, max: number) => (value: string) =>
  /^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max;
/** A whole number; `zero` is the meaning of 0. */
export const wholeNumber = (min: number, max: number, zero?: string) => ({
  holds: `a number from ${min} to ${max}${zero ? `, where 0 means ${zero}` : ''}`,
  accepts: isNumber(min, max),
});
export const byteCount = (zero: string) => ({
  holds: `a number of bytes, where 0 means ${zero}`,
  accepts: isNumber(0, 1e15),
});
export const port = { ...wholeNumber(0, 65_535), holds: 'a port number from 0 to 65535' };

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
