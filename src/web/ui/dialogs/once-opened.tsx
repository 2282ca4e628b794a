import { type ReactNode, Suspense, useState } from 'react';

interface Props {
  opened: boolean;
  /** A dialog that is lazy-loaded at its first opening. */
  children: ReactNode;
}

/** Mounts its child at the first opening, and keeps it mounted for the closing animation. */
export function OnceOpened({ opened, children }: Props) {
  const [was, setWas] = useState(opened);
  if (opened && !was) setWas(true);
  return was ? <Suspense>{children}</Suspense> : null;
}
