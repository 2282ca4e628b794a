import { useState } from 'react';

/** A value that is saved on change: what was asked for is shown at once, until it is settled. */
export function useAsked<T>(saved: T) {
  const [asked, setAsked] = useState<{ value: T } | null>(null);
  return {
    shown: asked ? asked.value : saved,
    ask: (value: T) => setAsked({ value }),
    settle: () => setAsked(null),
  };
}
