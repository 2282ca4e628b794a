import type { Context } from '../context.ts';
import { endSessionUrl } from './oidc.ts';

/** Where the browser ends a session at the provider that it began at; null: it need not. */
export async function endElsewhere(
  { config }: Context,
  providerId: string,
  session: { idToken: string; backTo: string },
): Promise<string | null> {
  const provider = config.identity.providers.find(({ id }) => id === providerId);
  return provider?.end_session ? endSessionUrl(provider, session) : null;
}
