// The values of the user form, and the body made from them.

import type { User } from '#shared/api/users.ts';

export const userValues = (user?: User) => ({
  name: user?.name ?? '',
  username: user?.username ?? '',
  email: user?.email ?? '',
  password: '',
  old_password: '',
  admin: user?.admin ?? false,
  alert: user?.alert ?? false,
  can_create_project: user?.can_create_project ?? false,
  external: user?.external ?? false,
});
export type UserValues = ReturnType<typeof userValues>;

/** Omitted permissions default to the setting of the server. */
export const newUserBody = ({ old_password: _none, ...values }: UserValues) => ({
  ...values,
  can_create_project: values.can_create_project || undefined,
});

export const userBody = ({ external: _fixed, ...values }: UserValues) => values;
