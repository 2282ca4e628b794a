import { useEffect, useRef } from 'react';

/**
 * Moves the focus into a row that has just been added to a list in a form. Returns the ref of the
 * list; the input of each row that is filled in first is marked `data-first`.
 */
export function useFocusOfNew<List extends HTMLElement>(count: number) {
  const list = useRef<List>(null);
  const before = useRef(count);
  useEffect(() => {
    if (count > before.current) {
      const inputs = list.current?.querySelectorAll<HTMLElement>('input[data-first]');
      inputs?.item(inputs.length - 1)?.focus();
    }
    before.current = count;
  }, [count]);
  return list;
}
