// The state of a dialog that asks before something is done with a thing.

import { useState } from 'react';

/** `thing` is what the dialog asks about, also while it closes. */
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
