import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { justSignedOut } from '../../lib/session-cookie.ts';
import { sessionQueries } from './session.queries.ts';

interface SignInOptions {
  /** The query string of the address at which a provider's sign-in begins. */
  search: string;
  /** Whether the password form is shown although only administrators may use passwords. */
  isLocal: boolean;
  /** Whether the provider is opened at once if there is only one, and no password form. */
  goesOn: boolean;
}

/** The address at which signing in at a provider begins. */
export const providerAddress = (id: string, search: string): string =>
  `/api/auth/oidc/${encodeURIComponent(id)}/login${search}`;

/** The ways to sign in. Redirects to the only provider, unless somebody has just signed out. */
export function useWays({ search, isLocal, goesOn }: SignInOptions) {
  const { data } = useQuery(sessionQueries.ways());
  const hasForm = isLocal || (data?.login_with_password ?? true);
  const providers = data?.oidc_providers ?? [];
  const only = goesOn && !hasForm && providers.length === 1 ? providers[0] : undefined;
  const address = only ? providerAddress(only.id, search) : null;
  useEffect(() => {
    if (address !== null && !justSignedOut.take()) location.replace(address);
  }, [address]);
  return { hasForm, providers };
}
