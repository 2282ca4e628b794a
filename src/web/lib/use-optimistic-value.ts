import { useState } from 'react';

/** A value that is saved on change: shows the new value while it is being saved. */
export function useOptimisticValue<T>(saved: T) {
  const [asked, setAsked] = useState<{ value: T } | null>(null);
  return {
    shown: asked ? asked.value : saved,
    ask: (value: T) => setAsked({ value }),
    settle: () => setAsked(null),
  };
}
