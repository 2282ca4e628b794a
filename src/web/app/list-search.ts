// What the address of a list holds.

import { z } from 'zod';

export const positive = z.coerce.number().int().positive().optional().catch(undefined);
export const text = z.coerce.string().optional().catch(undefined);

/** Text that is looked for, column that it is sorted by, and what is edited in a dialog. */
export const listSearch = z.object({
  q: text,
  sort: text,
  edit: z
    .union([z.literal('new'), z.coerce.number().int().positive()])
    .optional()
    .catch(undefined),
});

/** `hosts`: the pinned keys of ssh hosts are shown. */
export const repositoriesSearch = listSearch.extend({
  hosts: z.literal(true).optional().catch(undefined),
});
