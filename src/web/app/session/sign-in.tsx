import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { SignInPage } from '../../features/session/sign-in-page.tsx';
import { localAddress } from '../../lib/session-cookie.ts';

/** What the address of the sign-in page asks for, and where it leads afterwards. */
function readAddress() {
  const search = new URLSearchParams(location.search);
  const asked = { errorCode: search.get('error'), isLocal: search.has('local') };
  const next = localAddress(search.get('next') ?? undefined);
  for (const name of ['next', 'error', 'local']) search.delete(name);
  return { ...asked, next: next ?? (search.size > 0 ? `/?${search}` : '/') };
}

export function SignIn() {
  const router = useRouter();
  const [{ next, errorCode, isLocal }] = useState(readAddress);
  return (
    <SignInPage
      next={next}
      errorCode={errorCode}
      isLocal={isLocal}
      onSignedIn={() => router.history.replace(next)}
    />
  );
}
