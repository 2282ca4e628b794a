/**
 * Collects the keys that are read at once, and reads each group of them with one call. A reader
 * rejects with the error of its call.
 */
export function batched<Key, Value>(
  max: number,
  read: (keys: Key[]) => Promise<Map<Key, Value>>,
): (key: Key) => Promise<Value | null> {
  let waiting: { keys: Key[]; values: Promise<Map<Key, Value>> } | null = null;
  const open = () => {
    const keys: Key[] = [];
    const values = Promise.resolve().then(() => {
      if (waiting?.keys === keys) waiting = null;
      return read(keys);
    });
    return { keys, values };
  };
  return async (key) => {
    waiting ??= open();
    const { keys, values } = waiting;
    keys.push(key);
    if (keys.length === max) waiting = null;
    return (await values).get(key) ?? null;
  };
}
