// Something is done with a thing after a question: what `ui/confirm-dialog.tsx` is told.

import { useState } from 'react';

/** `thing` is what is asked about, also while the dialog closes. */
export function useQuestion<Thing>() {
  const [thing, setThing] = useState<Thing | null>(null);
  const [opened, setOpened] = useState(false);
  return {
    thing,
    opened,
    onClose: () => setOpened(false),
    ask: (asked: Thing) => {
      setThing(asked);
      setOpened(true);
    },
  };
}
