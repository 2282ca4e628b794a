// The state of a confirmation dialog about a resource.

import { useState } from 'react';

/** `resource` stays set during the closing animation. */
export function useDialogState<Resource>() {
  const [resource, setResource] = useState<Resource | null>(null);
  const [opened, setOpened] = useState(false);
  return {
    resource,
    opened,
    onClose: () => setOpened(false),
    ask: (asked: Resource) => {
      setResource(asked);
      setOpened(true);
    },
  };
}
