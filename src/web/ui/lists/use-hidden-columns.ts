import { useState } from 'react';

export interface HiddenColumns {
  isHidden: (key: string) => boolean;
  onToggle: (key: string) => void;
}

const storageKey = (table: string): string => `columns.${table}`;

function stored(table: string, atFirst: string[]): string[] {
  const text = localStorage.getItem(storageKey(table));
  return text === null ? atFirst : text.split(' ').filter(Boolean);
}

/** Which columns of a table the person does not want to see; this browser remembers it. */
export function useHiddenColumns(table: string, atFirst: string[] = []): HiddenColumns {
  const [hidden, setHidden] = useState(() => stored(table, atFirst));
  return {
    isHidden: (key) => hidden.includes(key),
    onToggle: (key) => {
      const next = hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key];
      localStorage.setItem(storageKey(table), next.join(' '));
      setHidden(next);
    },
  };
}
