import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { type CurrentUser, users } from '#shared/api/users.ts';
import { SignInForm } from '../../features/session/sign-in-form.tsx';
import { t } from '../../lib/i18n.ts';
import { leaveToSignIn } from '../../lib/session-cookie.ts';
import { sessionEnd } from '../../lib/session-end.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { useCurrentUser } from './access.ts';

/**
 * Returns the owner of the session, which may have begun in another tab; null without a session.
 */
async function sessionOwner(): Promise<CurrentUser | null> {
  const answer = await fetch(users.current.path).catch(() => null);
  return answer?.ok ? ((await answer.json()) as CurrentUser) : null;
}

/** Continues after the sign-in; for another user, the page is reloaded. */
async function look(userId: number): Promise<void> {
  const owner = await sessionOwner();
  if (owner === null) return;
  if (owner.id === userId && !owner.second_factor_setup) sessionEnd.signedInAgain();
  else location.assign('/');
}

/** The sign-in dialog over the screen, whose inputs keep their values. */
export function SignInAgain() {
  const user = useCurrentUser();
  useEffect(() => {
    const lookAgain = () => void look(user.id);
    addEventListener('focus', lookAgain);
    return () => removeEventListener('focus', lookAgain);
  }, [user.id]);
  return (
    <Dialog opened onClose={leaveToSignIn} mustAnswer title={t('session_end.title')} size={400}>
      <div className="column gap-16">
        <p>{t('session_end.text')}</p>
        <SignInForm keepPage username={user.username} onSignedIn={() => void look(user.id)} />
        <Button variant="subtle" onClick={leaveToSignIn}>
          {t('session_end.leave')}
        </Button>
      </div>
    </Dialog>
  );
}
