// What a template that people write is stored as.

import { kindOf } from '#shared/apps.ts';
import type { NewTemplate } from '#shared/api/templates.ts';
import type { VaultValues } from './template-vaults.store.ts';

/** The environments after the first one, which is in `environment_id`. */
export const furtherOf = ({ environment_id: first, environment_ids: all }: NewTemplate): number[] =>
  first == null ? [] : all.slice(1).filter((id) => id !== first);

/** `vault_key_id` is the short form of one vault without a name. */
export function vaultsOf({
  app,
  vaults: given,
  vault_key_id: unnamed,
}: NewTemplate): VaultValues[] {
  if (kindOf(app) !== 'ansible') return [];
  const vaults = given.map(({ type, ...vault }) =>
    type === 'script' ? { ...vault, type, vault_key_id: null } : { ...vault, type, script: null },
  );
  if (unnamed === null) return vaults;
  const short = { type: 'password' as const, vault_key_id: unnamed, script: null, name: null };
  const hasUnnamed = vaults.some(({ name }) => name === null);
  return hasUnnamed
    ? vaults.map((vault) => (vault.name === null ? short : vault))
    : [short, ...vaults];
}

export const toValues = ({
  vaults: _vaults,
  vault_key_id: _unnamed,
  environment_ids: _environments,
  ...input
}: NewTemplate) => ({
  ...input,
  inventory_id: input.inventory_id ?? null,
  environment_id: input.environment_id ?? null,
  build_template_id: input.type === 'deploy' ? input.build_template_id : null,
  autorun: input.type === 'deploy' && input.autorun,
});
