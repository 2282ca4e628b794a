import { type ReactNode, Suspense, useState } from 'react';

interface Props {
  opened: boolean;
  /** A dialog whose code is loaded when it is opened for the first time. */
  children: ReactNode;
}

/** Nothing until it is opened; then it stays, so that it can close as it opened. */
export function OnceOpened({ opened, children }: Props) {
  const [was, setWas] = useState(opened);
  if (opened && !was) setWas(true);
  return was ? <Suspense>{children}</Suspense> : null;
}
