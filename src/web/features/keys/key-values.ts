// What the inputs of the key form hold, and what is sent of it.

import type { CallOf } from '#shared/api/endpoint.ts';
import type { Key, keys, KeyType } from '#shared/api/keys.ts';

export type KeyValues = {
  name: string;
  /** Null: none has been chosen yet. */
  type: KeyType | null;
  /** Replace the secret that is stored. */
  override_secret: boolean;
  login_password: { login: string; password: string };
  ssh: { login: string; passphrase: string; private_key: string };
};

export const keyValues = (key?: Key): KeyValues => ({
  name: key?.name ?? '',
  type: key?.type ?? null,
  // A key without its secret is opened to be given one.
  override_secret: key !== undefined && key.empty && key.type !== 'none',
  login_password: { login: key?.login_password.login ?? '', password: '' },
  ssh: { login: key?.ssh.login ?? '', passphrase: '', private_key: '' },
});

/** Only the secret of the chosen type is sent. */
export const keyBody = ({ name, type, override_secret, ...secrets }: KeyValues) =>
  // The schema refuses a key without a type before it is sent.
  ({
    name,
    type,
    override_secret,
    ...(type === 'login_password' ? { login_password: secrets.login_password } : {}),
    ...(type === 'ssh' ? { ssh: secrets.ssh } : {}),
  }) as CallOf<typeof keys.create>['body'];
