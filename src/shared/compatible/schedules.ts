// Clients of other versions write the absent time of a schedule as the zero time of their language.

import { z } from 'zod';

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
