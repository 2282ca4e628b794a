// The forms of a schedule in clients of other versions. They send Go's zero time for no time, and those of the first
// version do not send `active`.

import { z } from 'zod';
import { type Forms, isBody } from './forms.ts';
import { taskParamsForms } from './task-params.ts';

const zeroTime = '0001-01-01T00:00:00Z';

/** A time in UTC without fractions of seconds; null: absent, empty or the zero time. */
export const readRunAt = z
  .union([z.literal(''), z.iso.datetime({ offset: true })])
  .nullish()
  .transform((given) => (given ? inSeconds(given) : null))
  .transform((time) => (time === zeroTime ? null : time));

// Other clients compare the reply with what they have sent, which has no milliseconds.
const inSeconds = (text: string): string => `${new Date(text).toISOString().slice(0, 19)}Z`;

const zonePrefixes = ['CRON_TZ=', 'TZ='];

/** Extracts the time zone at the beginning of a cron text; the field `time_zone` has priority. */
export function extractCronTimeZone(given: unknown): unknown {
  const text = isBody(given) ? given['cron_format'] : undefined;
  if (!isBody(given) || typeof text !== 'string') return given;
  const [first = '', ...fields] = text.trim().split(/\s+/);
  const prefix = zonePrefixes.find((one) => first.startsWith(one));
  if (prefix === undefined) return given;
  const zone = given['time_zone'] || first.slice(prefix.length);
  return { ...given, cron_format: fields.join(' '), time_zone: zone };
}

const read = (given: unknown) => taskParamsForms.read(extractCronTimeZone(given));

/** All fields of a schedule in the first version. */
const firstFields = ['id', 'project_id', 'template_id', 'cron_format', 'repository_id'];

const isFirstForm = (given: unknown): boolean =>
  isBody(given) && Object.keys(given).every((name) => firstFields.includes(name));

/** A schedule in the form of the first version is active. */
export const newScheduleForms: Forms = {
  fields: taskParamsForms.fields,
  read: (given) => read(isBody(given) && isFirstForm(given) ? { ...given, active: true } : given),
};

/** A change in the form of the first version keeps `active`. */
export const scheduleForms: Forms = {
  fields: taskParamsForms.fields,
  read: (given) => ({
    ...read(given),
    ...(isFirstForm(given) && { kept: ['active'] }),
  }),
};

/** The form of a request for the next due times of a cron text. */
export const cronForms: Forms = {
  fields: z.object({}),
  read: (given) => ({ body: extractCronTimeZone(given), findings: [] }),
};
