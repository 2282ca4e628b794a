import { z } from 'zod';
import { type AddCheck, crossCheck } from '../cross-check.ts';
import { compatOnly } from '../compatible/forms.ts';
import { id, initially, line, multiline, optional, optionalLine, secret } from '../fields.ts';
import { mendPrivateKey } from '../keys/mend-private-key.ts';
import { wrongPrivateKey } from '../keys/wrong-private-key.ts';
import { sortedQuery } from './page.ts';
import { refsEndpoint } from './references.ts';
import { resourceEndpoints } from './resource-endpoints.ts';

export const keyTypes = ['ssh', 'login_password', 'none'] as const;
export type KeyType = (typeof keyTypes)[number];

const loginPassword = z.object({
  login: initially(optionalLine(255), ''),
  password: initially(secret(z.string().max(4096)), ''),
});
const ssh = z.object({
  login: initially(optionalLine(255), ''),
  passphrase: initially(secret(z.string().max(4096)), ''),
  private_key: initially(secret(multiline(64 * 1024).overwrite(mendPrivateKey)), ''),
});

/** Secrets are write-only: their fields are always empty in a reply. */
export const key = z.object({
  id,
  project_id: id,
  name: z.string(),
  type: z.enum(keyTypes),
  /** Whether the secret is missing, for example after a restore. */
  empty: z.boolean(),
  /** Always empty. */
  ...compatOnly({ string: z.literal('') }),
  login_password: z.object({ login: z.string(), password: z.literal('') }),
  ssh: z.object({ login: z.string(), passphrase: z.literal(''), private_key: z.literal('') }),
  /** Always false; allows to send a reply back. */
  ...compatOnly({ override_secret: z.boolean() }),
});
export type Key = z.output<typeof key>;

const keyFields = z.object({
  name: line(255, 'name.required'),
  type: z.enum(keyTypes, { error: 'inventory.type_required' }),
  login_password: loginPassword.nullish(),
  ssh: ssh.nullish(),
  /** Whether a change replaces type and secret. */
  override_secret: optional(z.boolean()),
});
export type KeyFields = z.output<typeof keyFields>;

type Secret = Pick<KeyFields, 'type' | 'override_secret'>;

function checkSecret(check: AddCheck<KeyFields>, isGiven: (given: Secret) => boolean): void {
  check(
    ['type', 'override_secret', 'login_password.password'],
    ({ login_password: login, ...fields }, refuse) => {
      const isMissing = fields.type === 'login_password' && !login?.password;
      if (isMissing && isGiven(fields)) refuse('login_password.password', 'user.password_required');
    },
  );
  check(['type', 'override_secret', 'ssh.private_key'], ({ ssh: given, ...fields }, refuse) => {
    const wrong = fields.type === 'ssh' ? wrongPrivateKey(given?.private_key ?? '') : null;
    if (wrong && isGiven(fields)) refuse('ssh.private_key', wrong);
  });
}

export const emptyKey = keyFields.pick({ name: true, type: true });
export type EmptyKey = z.output<typeof emptyKey>;

export const newKey = crossCheck(keyFields, (check) => checkSecret(check, () => true));
export const keyChange = crossCheck(keyFields, (check) =>
  checkSecret(check, ({ override_secret: isReplaced }) => isReplaced === true),
);

export const keys = {
  ...resourceEndpoints('/api/project/:project_id/keys', 'key', {
    permission: 'key.edit',
    summaries: {
      list: 'The keys of the project, without their secrets',
      create: 'Add a key',
      one: 'One key, without its secret',
      update: 'Change a key: its name, and with override_secret its type and secret',
      remove: 'Delete a key that nothing uses',
    },
    query: sortedQuery(['name', 'type']).extend({
      type: z.enum(keyTypes).optional(),
    }),
    body: newKey,
    change: keyChange,
    reply: key,
  }),
  refs: refsEndpoint('/api/project/:project_id/keys/:key_id', 'a key'),
};
