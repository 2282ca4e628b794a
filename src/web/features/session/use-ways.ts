import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { justSignedOut } from '../../lib/session-cookie.ts';
import { sessionQueries } from './session.queries.ts';

interface SignInOptions {
  /** The query string for the provider's sign-in. */
  search: string;
  /** Shows the password form although only administrators may use passwords. */
  isLocal: boolean;
  /** Redirects to the only provider, if there is no password form. */
  goesOn: boolean;
}

export const providerAddress = (id: string, search: string): string =>
  `/api/auth/oidc/${encodeURIComponent(id)}/login${search}`;

/** The ways to sign in. Redirects to the only provider, unless the user has just signed out. */
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
