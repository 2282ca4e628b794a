import { useRouter } from '@tanstack/react-router';
import { SignInPage } from '../features/session/sign-in-page.tsx';
import { localAddress } from '../lib/session-cookie.ts';

export function SignIn() {
  const router = useRouter();
  const goOn = () => {
    const search = new URLSearchParams(location.search);
    const next = localAddress(search.get('next') ?? undefined);
    search.delete('next');
    router.history.replace(next ?? (search.size > 0 ? `/?${search}` : '/'));
  };
  return <SignInPage onSignedIn={goOn} />;
}
