import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';

const asksForPassword = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.body.fields ?? []).some(({ path }) => path === 'old_password');

/**
 * People who change how they sign in have to enter their password if they signed in some time ago.
 * Only the server knows that, so its refusal shows the input.
 */
export function usePasswordPrompt() {
  const [isAsked, setIsAsked] = useState(false);
  const asking = async (save: Promise<unknown>): Promise<void> => {
    try {
      await save;
    } catch (error) {
      if (asksForPassword(error)) setIsAsked(true);
      throw error;
    }
  };
  return { isAsked, asking };
}
