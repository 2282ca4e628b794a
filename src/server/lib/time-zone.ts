import { realpathSync } from 'node:fs';
import { isTimeZone } from '#shared/time-zones/time-zone.ts';

export { isTimeZone };

export interface ServerZone {
  name: string;
  warning: string | null;
}

/** The zone of TZ or the machine; UTC with a warning for an invalid TZ, which programs read differently. */
export function serverZone(variable: string | undefined): ServerZone {
  const name = variable === undefined ? machineZone() : zoneOf(variable.replace(/^:/, ''));
  if (isTimeZone(name)) return { name, warning: null };
  const warning = `TZ is ${JSON.stringify(variable)}, which is not the name of a time zone. Schedules without a zone of their own are due by UTC. Write a name such as Europe/Berlin.`;
  return { name: 'UTC', warning: variable === undefined ? null : warning };
}

const machineZone = (): string | undefined => Intl.DateTimeFormat().resolvedOptions().timeZone;

const folder = '/zoneinfo/';

/** TZ may be a path such as `/etc/localtime`; undefined when the file is not a zone. */
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
