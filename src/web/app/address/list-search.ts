// What the address of a list holds.

import { z } from 'zod';
import { isTrail } from '../../ui/lists/cursors.ts';

export const positive = z.coerce.number().int().positive().optional().catch(undefined);
export const text = z.coerce.string().optional().catch(undefined);

/** The way through the pages of a list; see cursors.ts. */
export const trail = z.coerce.string().refine(isTrail).optional().catch(undefined);

/** What a dialog edits: a new thing, or the one with this id. */
export const edited = z
  .union([z.literal('new'), z.coerce.number().int().positive()])
  .optional()
  .catch(undefined);

/** Text that is looked for, column that it is sorted by, and what is edited in a dialog. */
export const listSearch = z.object({
  q: text,
  sort: text,
  edit: edited,
});

/** `hosts`: the pinned keys of ssh hosts are shown. */
export const repositoriesSearch = listSearch.extend({
  hosts: z.literal(true).optional().catch(undefined),
});
