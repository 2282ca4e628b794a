import { useEffect, useRef } from 'react';

/**
 * Moves the focus into a new row of a list in a form. Returns the ref of the list; the first input
 * of each row has the attribute `data-first`.
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
