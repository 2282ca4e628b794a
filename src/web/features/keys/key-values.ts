// The values of the key form, and the body made from them.

import type { CallOf } from '#shared/api/endpoint.ts';
import type { Key, keys } from '#shared/api/keys.ts';

export const keyValues = (key?: Key) => ({
  name: key?.name ?? '',
  type: key?.type ?? null,
  // The form of a key without secret begins with the input of the secret.
  override_secret: key !== undefined && key.empty && key.type !== 'none',
  login_password: { login: key?.login_password.login ?? '', password: '' },
  ssh: { login: key?.ssh.login ?? '', passphrase: '', private_key: '' },
});
export type KeyValues = ReturnType<typeof keyValues>;

export const keyBody = ({ name, type, override_secret, ...secrets }: KeyValues) =>
  // The schema refuses a key without a type before it is sent.
  ({
    name,
    type,
    override_secret,
    ...(type === 'login_password' ? { login_password: secrets.login_password } : {}),
    ...(type === 'ssh' ? { ssh: secrets.ssh } : {}),
  }) as CallOf<typeof keys.create>['body'];
