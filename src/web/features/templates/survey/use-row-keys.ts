import { useRef, useState } from 'react';

/** Keys of rows whose fields all change; they move with their rows. */
export function useRowKeys(count: number) {
  const last = useRef(count);
  const [known, setKnown] = useState(() => Array.from({ length: count }, (_, index) => index + 1));
  const [newest, setNewest] = useState<number | null>(null);
  // Rows that were added elsewhere, as by an undo, have negative keys.
  const keys = Array.from({ length: count }, (_, index) => known[index] ?? -index - 1);
  return {
    keys,
    /** The key of the row that was inserted last. */
    newest,
    insert: (index: number) => {
      last.current += 1;
      setNewest(last.current);
      setKnown(keys.toSpliced(index, 0, last.current));
    },
    remove: (index: number) => setKnown(keys.toSpliced(index, 1)),
    move: (from: number, to: number) =>
      setKnown(keys.toSpliced(from, 1).toSpliced(to, 0, keys[from] ?? 0)),
  };
}
