export interface Page<Item> {
  items: Item[];
  /** The id after which the next page begins; null if there is none. */
  next: number | null;
}

/** `from`: where the list continues if the search has not reached its end. */
export async function readPage<Item extends { id: number }>(
  limit: number,
  read: (limit: number) => Promise<Item[]>,
  from: number | null = null,
): Promise<Page<Item>> {
  // One more item shows whether a next page exists.
  const found = await read(limit + 1);
  const items = found.slice(0, limit);
  const next = items.length < found.length ? items.at(-1)?.id : from;
  return { items, next: next ?? null };
}
