/**
 * As `Promise.all`, but it fails only when no call is under way any more, so that whoever begins again or
 * cleans up afterwards is not overtaken.
 */
export async function whenAllEnded<T extends unknown[]>(calls: {
  [Index in keyof T]: Promise<T[Index]>;
}): Promise<T> {
  await Promise.allSettled(calls);
  return Promise.all(calls) as Promise<T>;
}
