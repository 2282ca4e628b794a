import type { Context } from '../../context/context.ts';
import { endSessionUrl } from './oidc.ts';

/** The address at which the browser ends its session at the provider; null when there is none to end. */
export async function endElsewhere(
  { config }: Context,
  providerId: string,
  session: { idToken: string; backTo: string },
): Promise<string | null> {
  const provider = config.identity.providers.find(({ id }) => id === providerId);
  return provider?.end_session
    ? endSessionUrl({ provider, proxies: config.proxies }, session)
    : null;
}
