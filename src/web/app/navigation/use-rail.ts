// Whether the sidebar is collapsed to a rail of icons; the browser remembers it.

import { useState } from 'react';

const storageKey = 'rail';

export function useRail(): { isRail: boolean; toggle: () => void } {
  const [isRail, setRail] = useState(() => localStorage.getItem(storageKey) === 'true');
  return {
    isRail,
    toggle: () => {
      if (isRail) localStorage.removeItem(storageKey);
      else localStorage.setItem(storageKey, 'true');
      setRail(!isRail);
    },
  };
}
