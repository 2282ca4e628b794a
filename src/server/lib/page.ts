// Long lists are read page by page.

export interface Page<Item> {
  items: Item[];
  /** The id that the next page starts after; null: there are no more. */
  next: number | null;
}

/**
 * Reads so many items. `from`: where the list goes on when it has only been looked at so far; null:
 * it is read to its end.
 */
export async function readPage<Item extends { id: number }>(
  limit: number,
  read: (limit: number) => Promise<Item[]>,
  from: number | null = null,
): Promise<Page<Item>> {
  // One more than is shown tells whether there are more.
  const found = await read(limit + 1);
  const items = found.slice(0, limit);
  const next = items.length < found.length ? items.at(-1)?.id : from;
  return { items, next: next ?? null };
}
