// The forms of a schedule in clients of other versions. They write the absent time of a schedule as the
// zero time of their language, and those of the first version do not know `active`.

import { z } from 'zod';
import { type Forms, isBody } from './forms.ts';
import { taskParamsForms } from './task-params.ts';

// The zero value of a time in Go, in which such clients are written.
const zeroTime = '0001-01-01T00:00:00Z';

/** A time to the second in UTC; null for none, for an empty text and for the zero time. */
export const readRunAt = z
  .union([z.literal(''), z.iso.datetime({ offset: true })])
  .nullish()
  .transform((given) => (given ? inSeconds(given) : null))
  .transform((time) => (time === zeroTime ? null : time));

// Other clients compare what they read with what they have sent, so there are no milliseconds.
const inSeconds = (text: string): string => `${new Date(text).toISOString().slice(0, 19)}Z`;

const zonePrefixes = ['CRON_TZ=', 'TZ='];

/** A cron text that begins with its time zone; the field `time_zone` counts if it is another one. */
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

/** All fields that a schedule had in the first version. */
const firstFields = ['id', 'project_id', 'template_id', 'cron_format', 'repository_id'];

const isFirstForm = (given: unknown): boolean =>
  isBody(given) && Object.keys(given).every((name) => firstFields.includes(name));

/** A schedule in the form of the first version is on. */
export const newScheduleForms: Forms = {
  fields: taskParamsForms.fields,
  read: (given) => read(isBody(given) && isFirstForm(given) ? { ...given, active: true } : given),
};

/** A change in the form of the first version leaves a schedule on or off. */
export const scheduleForms: Forms = {
  fields: taskParamsForms.fields,
  read: (given) => ({
    ...read(given),
    ...(isFirstForm(given) && { kept: ['active'] }),
  }),
};

/** The form of the question when a cron text is due. */
export const cronForms: Forms = {
  fields: z.object({}),
  read: (given) => ({ body: extractCronTimeZone(given), findings: [] }),
};
