import { useState } from 'react';

/**
 * Whether the form needs the current password: some time after the sign-in, changes of credentials
 * require it. Only the server knows the time, so its refusal shows the input.
 */
export function usePasswordPrompt({ errors }: { errors: Record<string, unknown> }): boolean {
  const [isAsked, setIsAsked] = useState(false);
  const isRefused = Boolean(errors['old_password']);
  if (isRefused && !isAsked) setIsAsked(true);
  return isAsked;
}
