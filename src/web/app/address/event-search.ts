// What the address of a list of events holds.

import { z } from 'zod';
import { objectTypes } from '#shared/events.ts';
import { isCode, isDay } from '../../features/events/event-filter.ts';
import { positive, text, trail } from './list-search.ts';

export const eventSearch = z.object({
  before: trail,
  code: z.string().refine(isCode).optional().catch(undefined),
  type: z.enum(objectTypes).optional().catch(undefined),
  user: positive,
  from: z.string().refine(isDay).optional().catch(undefined),
  to: z.string().refine(isDay).optional().catch(undefined),
  q: text,
});
