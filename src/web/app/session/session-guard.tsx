import { lazy, Suspense, useSyncExternalStore } from 'react';
import { sessionEnd } from '../../lib/session-end.ts';

const SignInAgain = lazy(async () => {
  const { SignInAgain: component } = await import('./sign-in-again.tsx');
  return { default: component };
});

/** Asks to sign in again, over whatever screen is open, when the session ends. */
export function SessionGuard() {
  const isOver = useSyncExternalStore(sessionEnd.watch, sessionEnd.isOver);
  return isOver ? (
    <Suspense>
      <SignInAgain />
    </Suspense>
  ) : null;
}
