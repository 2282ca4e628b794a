import { useEffect } from 'react';

/** Leads somebody who may not change a thing from the address of its form to what is behind it. */
export function useRefusedForm(isRefused: boolean, onLeave: () => void): void {
  useEffect(() => {
    if (isRefused) onLeave();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- it is another function each time
  }, [isRefused]);
}
