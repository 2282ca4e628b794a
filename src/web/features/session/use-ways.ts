import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { justSignedOut } from '../../lib/session-cookie.ts';
import { sessionQueries } from './session.queries.ts';

interface Wanted {
  /** The query string that a provider's sign-in is begun with. */
  search: string;
  /** The password form is shown although only administrators may use passwords. */
  isLocal: boolean;
  /** With one provider and no password form, the provider is opened at once. */
  goesOn: boolean;
}

/** The address at which signing in at a provider begins. */
export const providerAddress = (id: string, search: string): string =>
  `/api/auth/oidc/${encodeURIComponent(id)}/login${search}`;

/** The ways to sign in. Redirects to the only provider, unless somebody has just signed out. */
export function useWays({ search, isLocal, goesOn }: Wanted) {
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
