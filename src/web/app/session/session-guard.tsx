import { Suspense, useSyncExternalStore } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { sessionEnd } from '../../lib/session-end.ts';

const SignInAgain = lazyExport(() => import('./sign-in-again.tsx'), 'SignInAgain');

export function SessionGuard() {
  const isOver = useSyncExternalStore(sessionEnd.watch, sessionEnd.isOver);
  return isOver ? (
    <Suspense>
      <SignInAgain />
    </Suspense>
  ) : null;
}
