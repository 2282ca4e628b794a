// Names of time zones, and the zone of this server.

import { realpathSync } from 'node:fs';

/** Whether a text is the name of a time zone. An offset is not accepted, since it has no daylight saving time. */
export function isTimeZone(name: string | undefined): name is string {
  if (name === undefined || !/^[a-z]/i.test(name)) return false;
  try {
    return Boolean(Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

export interface ServerZone {
  name: string;
  /** A sentence for the administrator when TZ does not count; null when it does, or is not set. */
  warning: string | null;
}

/**
 * The time zone of this server: that of the variable TZ, or of the machine where it is not set. A value
 * that is not the name of a zone does not count, because Node reads some of those otherwise than other
 * programs do: the clock is then that of UTC.
 */
export function serverZone(variable: string | undefined): ServerZone {
  const name = variable === undefined ? machineZone() : zoneOf(variable.replace(/^:/, ''));
  if (isTimeZone(name)) return { name, warning: null };
  const warning = `TZ is ${JSON.stringify(variable)}, which is not the name of a time zone. Schedules without a zone of their own are due by UTC. Write a name such as Europe/Berlin.`;
  return { name: 'UTC', warning: variable === undefined ? null : warning };
}

const machineZone = (): string | undefined => Intl.DateTimeFormat().resolvedOptions().timeZone;

const folder = '/zoneinfo/';

/** The zone that TZ names, also by a file such as `/etc/localtime`; undefined when the file has no name of a zone. */
function zoneOf(text: string): string | undefined {
  if (!text.startsWith('/')) return text;
  try {
    const path = realpathSync(text);
    const at = path.indexOf(folder);
    return at < 0 ? undefined : path.slice(at + folder.length);
  } catch {
    return undefined;
  }
}
