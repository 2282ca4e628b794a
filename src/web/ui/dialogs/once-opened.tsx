import { type ReactNode, Suspense, useState } from 'react';

interface Props {
  opened: boolean;
  /** A dialog whose code is loaded when it is opened for the first time. */
  children: ReactNode;
}

/** Mounts its child at the first opening, and keeps it mounted, so that its closing is animated. */
export function OnceOpened({ opened, children }: Props) {
  const [was, setWas] = useState(opened);
  if (opened && !was) setWas(true);
  return was ? <Suspense>{children}</Suspense> : null;
}
