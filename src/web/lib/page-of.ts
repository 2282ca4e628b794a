/** What to ask for, so that it is seen whether more follows. */
export const asked = (pageSize: number): number => pageSize + 1;

/** A page out of a list that was asked for one more; `next` is what the next one starts after. */
export function pageOf<Item extends { id: number }>(
  list: Item[] | undefined,
  pageSize: number,
): { items: Item[] | undefined; next: number | null } {
  const items = list?.slice(0, pageSize);
  const hasMore = list !== undefined && list.length > pageSize;
  return { items, next: hasMore ? (items?.at(-1)?.id ?? null) : null };
}
