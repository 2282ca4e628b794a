import { useState } from 'react';

/**
 * Whether the form needs the input of the current password: people who change how they sign in have
 * to enter it if they signed in some time ago. Only the server knows that, so its refusal shows the
 * input.
 */
export function usePasswordPrompt({ errors }: { errors: Record<string, unknown> }): boolean {
  const [isAsked, setIsAsked] = useState(false);
  const isRefused = Boolean(errors['old_password']);
  if (isRefused && !isAsked) setIsAsked(true);
  return isAsked;
}
