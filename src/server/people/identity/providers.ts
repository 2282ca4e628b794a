import type { IdentityProvider } from '#shared/api/identity.ts';
import type { Context } from '../../context/context.ts';
import type { Directory } from '../../config/directory-settings.ts';
import { discover, stateOf } from './oidc.ts';
import { redirectUriOf } from './oidc-sign-in.ts';

/** Providers and directory with their reachability, which is tested now. */
export async function getProviders({ config }: Context, base: string): Promise<IdentityProvider[]> {
  const { providers, ldap } = config.identity;
  const { proxies } = config;
  const [directories] = await Promise.all([
    Promise.all(ldap ? [getDirectory(ldap)] : []),
    Promise.allSettled(providers.map((provider) => discover({ provider, proxies }))),
  ]);
  const shown = providers.map((provider) => ({
    id: provider.id,
    kind: 'oidc' as const,
    name: provider.name,
    address: provider.issuer,
    redirect_url: redirectUriOf(base, provider.id),
    ...stateOf(provider),
  }));
  return [...shown, ...directories];
}

async function getDirectory(directory: Directory): Promise<IdentityProvider> {
  const { name, url: address } = directory;
  const about = { id: 'ldap', kind: 'ldap' as const, name, address, redirect_url: null };
  try {
    // Loaded lazily, since most installations have no directory.
    const { tryDirectory } = await import('./ldap.ts');
    await tryDirectory(directory);
    return { ...about, state: 'ready', reason: '' };
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 300) : '';
    return { ...about, state: 'unreachable', reason };
  }
}
