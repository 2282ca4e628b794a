/**
 * As `Promise.all`, but rejects only when every promise has settled, so that a retry or a clean-up afterwards
 * does not run beside them.
 */
export async function allSettledOrThrow<T extends unknown[]>(promises: {
  [Index in keyof T]: Promise<T[Index]>;
}): Promise<T> {
  await Promise.allSettled(promises);
  return Promise.all(promises) as Promise<T>;
}
