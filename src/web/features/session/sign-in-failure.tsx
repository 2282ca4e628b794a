import { useEffect, useState } from 'react';
import { isKnown, loadLanguage, t } from '../../lib/i18n.ts';
import { Failure } from '../../ui/feedback/failure.tsx';

/** Why signing in at a provider failed. The address has only a code, never a text to show. */
export function SignInFailure({ code }: { code: string | null }) {
  const [words, setWords] = useState<string | null>(null);
  useEffect(() => {
    if (code === null) return;
    // The sign-in page loads only some words at first.
    void loadLanguage().then(() => {
      const known =
        code.startsWith('identity.') && isKnown('errors', code) ? code : 'identity.state';
      setWords(t(`errors.${known}`));
    });
  }, [code]);
  return <Failure message={words} />;
}
