// Clients of later versions of the API send the expiry of a token as `expires_at`.

import { z } from 'zod';
import { compatOnly, renamed } from './forms.ts';

const inUtc = (time: string): string => (time.endsWith('Z') ? time : new Date(time).toISOString());

export const tokenForms = renamed({
  from: 'expires_at',
  to: 'expires',
  schema: z.iso.datetime({ offset: true }).transform(inUtc).nullish(),
});

export const shownTokenForms = compatOnly({ expires_at: z.iso.datetime().nullable() });
