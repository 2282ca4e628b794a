import { lazy, Suspense, useSyncExternalStore } from 'react';
import { sessionEnd } from '../../lib/session-end.ts';

const SignInAgain = lazy(async () => {
  const { SignInAgain: component } = await import('./sign-in-again.tsx');
  return { default: component };
});

export function SessionGuard() {
  const isOver = useSyncExternalStore(sessionEnd.watch, sessionEnd.isOver);
  return isOver ? (
    <Suspense>
      <SignInAgain />
    </Suspense>
  ) : null;
}
