import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { SignInPage } from '../../features/session/sign-in-page.tsx';
import { localAddress } from '../../lib/session-cookie.ts';

function readAddress() {
  const params = new URLSearchParams(location.search);
  const asked = { errorCode: params.get('error'), isLocal: params.has('local') };
  for (const name of ['error', 'local']) params.delete(name);
  const search = params.size > 0 ? `?${params}` : '';
  const next = localAddress(params.get('next') ?? undefined);
  params.delete('next');
  return { ...asked, search, next: next ?? (params.size > 0 ? `/?${params}` : '/') };
}

export function SignIn() {
  const router = useRouter();
  const [{ next, search, errorCode, isLocal }] = useState(readAddress);
  return (
    <SignInPage
      search={search}
      errorCode={errorCode}
      isLocal={isLocal}
      onSignedIn={() => router.history.replace(next)}
    />
  );
}
