// The state of a dialog that asks before something is done with a thing.

import { useState } from 'react';

/** `resource` is what the dialog asks about, also while it closes. */
export function useDialogState<Resource>() {
  const [resource, setResource] = useState<Resource | null>(null);
  const [opened, setOpened] = useState(false);
  return {
    thing: resource,
    opened,
    onClose: () => setOpened(false),
    ask: (asked: Resource) => {
      setResource(asked);
      setOpened(true);
    },
  };
}
