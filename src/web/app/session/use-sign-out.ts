import { useMutation } from '@tanstack/react-query';
import { toastFailure } from '../../resources/use-confirmed.tsx';
import { signOut } from '../../features/session/session.queries.ts';
import { forgetSession, justSignedOut } from '../../lib/session-cookie.ts';
import { sessionEnd } from '../../lib/session-end.ts';

/** Ends the session, also at its identity provider, and leaves the console. */
export function useSignOut() {
  const { mutate, isPending } = useMutation({
    ...signOut(),
    onMutate: () => sessionEnd.leave(),
    onSuccess: (answer) => {
      forgetSession();
      justSignedOut.note();
      location.assign(answer?.end_session_url ?? '/auth/login');
    },
    onError: (error) => {
      sessionEnd.stay();
      toastFailure(error);
    },
  });
  return { isLeaving: isPending, leave: () => mutate({}) };
}
