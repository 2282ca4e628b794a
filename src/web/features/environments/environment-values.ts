// The values of the environment form, and the body made from them.

import type { FormErrors } from '@mantine/form';
import type { Environment, SecretChange, SecretType } from '#shared/api/environments.ts';
import { fieldWords } from '../../lib/error-words.ts';
import { t } from '../../lib/i18n.ts';
import { nameFault } from './variables.ts';

export type SecretValues = {
  /** Null for a new secret. */
  id: number | null;
  type: SecretType;
  name: string;
  stored: { type: SecretType; name: string } | null;
  empty: boolean;
  /** The new value; the server never returns the stored one. */
  secret: string;
  state: 'kept' | 'replaced' | 'deleted';
};

export const environmentValues = (environment?: Environment) => ({
  name: environment?.name ?? '',
  json: environment?.json ?? '{}',
  env: environment?.env ?? '{}',
  secrets: (environment?.secrets ?? []).map(({ id, type, name, empty }): SecretValues => {
    const state = empty ? 'replaced' : 'kept';
    return { id, type, name, stored: { type, name }, empty, secret: '', state };
  }),
});
export type EnvironmentValues = ReturnType<typeof environmentValues>;

function operationOf(values: SecretValues): SecretChange['operation'] {
  const { stored, type, name, secret, state } = values;
  if (stored === null) return 'create';
  if (state === 'deleted') return 'delete';
  const isSame = secret === '' && type === stored.type && name === stored.name;
  return isSame ? '' : 'update';
}

/** Sends every secret, so that the index in an error path of the server is that of its row. */
const secretBody = (values: SecretValues) => {
  const { id, type, name, secret } = values;
  return { id, type, name, secret, operation: operationOf(values) };
};

export const environmentBody = ({ secrets, ...values }: EnvironmentValues) => ({
  ...values,
  secrets: secrets.map(secretBody),
});

/** JSON allows a repeated name and uses the last value; here it is an error. */
export function checkNames({ json, env }: EnvironmentValues): FormErrors {
  const errors: FormErrors = {};
  for (const [path, text] of Object.entries({ json, env })) {
    const fault = nameFault(text);
    if (fault === null) continue;
    errors[path] =
      'missing' in fault
        ? fieldWords('name.required')
        : t('environment.twice', { name: fault.twice });
  }
  return errors;
}
