/** As `Promise.all`, but rejects after every promise has settled, so that no retry or cleanup runs beside them. */
export async function allSettledOrThrow<T extends unknown[]>(promises: {
  [Index in keyof T]: Promise<T[Index]>;
}): Promise<T> {
  await Promise.allSettled(promises);
  return Promise.all(promises) as Promise<T>;
}
