// What a setting is, and what it accepts where several accept the same or the check takes some words.

export interface Setting {
  name: string;
  /** The value when none is given; undefined: there is none. */
  initial?: string;
  /** What it may hold, in the words of the message that refuses anything else. */
  holds: string;
  about: string;
  /** Never printed; may also be given as NAME_FILE. */
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
