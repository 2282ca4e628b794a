// The Ansible Vault passwords of a template.

import { z } from 'zod';
import { crossCheck } from './cross-check.ts';
import { argument, id, initially, insidePath, nullable, using } from './fields.ts';

/** `script`: a file of the repository that prints the password. */
export const vaultTypes = ['password', 'script'] as const;
export type VaultType = (typeof vaultTypes)[number];

const fields = z.object({
  type: initially(z.enum(vaultTypes), 'password'),
  /** The key with the password; for the type `password`. */
  vault_key_id: using('key.use', nullable(id)),
  /** The path in the repository of the template; for the type `script`. */
  script: nullable(z.union([z.literal(''), insidePath(255, 'field.required')])),
  /** The vault id; null: "default". */
  name: nullable(
    argument(100).transform((name) => {
      const lower = name.toLowerCase();
      return lower === '' || lower === 'default' ? null : lower;
    }),
  ),
});

export const templateVault = crossCheck(fields, (check) => {
  check(['type', 'vault_key_id'], ({ type, vault_key_id: key }, refuse) => {
    if (type === 'password' && key === null) refuse('vault_key_id', 'field.required');
  });
  check(['type', 'script'], ({ type, script }, refuse) => {
    if (type === 'script' && !script) refuse('script', 'field.required');
  });
});
