import { z } from 'zod';
import { crossCheck } from '../cross-check.ts';
import type { FieldCode } from '../catalogue/field-errors.ts';
import { endpoint } from './endpoint.ts';
import { passwordForms } from '../compatible/passwords.ts';
import { id, line, noControls, optional, secret, time } from '../fields.ts';
import { option } from './options.ts';
import { sortedQuery } from './page.ts';
import { refsEndpoint } from './references.ts';

const user = z.object({
  id,
  created: time,
  username: z.string(),
  name: z.string(),
  email: z.string(),
  admin: z.boolean(),
  external: z.boolean(),
  alert: z.boolean(),
  /** Not needed by administrators. */
  can_create_project: z.boolean(),
  second_factor: z.boolean(),
});
export type User = z.output<typeof user>;

const currentUser = user.extend({
  /** Whether the user must set up a second factor before anything else. */
  second_factor_setup: z.boolean(),
});
export type CurrentUser = z.output<typeof currentUser>;

/** The fields of other users for everybody, to choose new members of a project. */
const otherUser = user.pick({ id: true, username: true, name: true });

const login = (required: FieldCode) =>
  z
    .string({ error: (issue) => (issue.input == null ? required : undefined) })
    .trim()
    .min(1, { error: required })
    .max(255)
    .refine((text) => noControls(text) && !/[\r\n\t]/.test(text), {
      error: 'field.control_characters',
    });

/** The rule for new passwords, for the API and the command line. */
export const newPassword = secret(
  z
    .string({ error: (issue) => (issue.input == null ? 'user.password_required' : undefined) })
    .min(8, { error: ({ input }) => (input === '' ? 'user.password_required' : undefined) })
    .max(1024),
);

const oldPassword = optional(secret(z.string().max(1024)));

export const isEmailAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

const account = {
  username: login('user.username_required'),
  name: line(255, 'name.required'),
  // Addresses from identity providers may have any form.
  email: login('user.email_required'),
  admin: optional(z.boolean()),
  alert: optional(z.boolean()),
  /** Absent: the setting of the server. */
  can_create_project: optional(z.boolean()),
};

/** The address of a user with a password. */
const ownAddress = login('user.email_required').refine(
  (text) => text === '' || isEmailAddress(text),
  { error: 'user.email_invalid' },
);

const userFields = z.object({
  ...account,
  /** Absent for external users: their login. */
  email: optional(z.string().max(255)),
  /** Whether the user signs in at an identity provider and has no password here. */
  external: optional(z.boolean()),
  /** Absent: the user cannot sign in until a password is set. */
  password: optional(secret(z.string())),
});

export const newUser = crossCheck(userFields, (check) => {
  check(['external', 'email'], ({ external, email }, _refuse, refuseBy) => {
    if (!external) refuseBy('email', ownAddress, email);
  });
  check(['external', 'password'], ({ external, password }, _refuse, refuseBy) => {
    if (!external && password !== undefined) refuseBy('password', newPassword, password);
  });
}).transform(({ email, ...given }) => ({
  ...given,
  email: email?.trim() || given.username,
}));
export type NewUser = z.output<typeof newUser>;

// Forms send an empty password to keep it.
const unlessEmpty = z.preprocess(
  (text) => (text === '' || text === null ? undefined : text),
  newPassword.optional(),
);

export const userChange = z.object({
  ...account,
  password: unlessEmpty,
  old_password: oldPassword,
});
export type UserChange = z.output<typeof userChange>;

export const passwordChange = z.object({
  password: newPassword,
  /** Required for a change of one's own password more than ten minutes after the sign-in. */
  old_password: oldPassword,
});
export type PasswordChange = z.output<typeof passwordChange>;

export const users = {
  current: endpoint.get('/api/user', {
    permission: 'user',
    projectTokens: true,
    duringSetup: true,
    summary: 'The user who is signed in',
    reply: currentUser,
  }),
  options: endpoint.get('/api/user/options', {
    permission: 'user',
    forOthers: true,
    summary: 'The values that clients keep for the caller, by key',
    reply: z.record(z.string(), z.string()),
  }),
  setOption: endpoint.post('/api/user/options', {
    permission: 'user',
    forOthers: true,
    summary: 'Keep a value for the caller under a key, at most 100 of them',
    body: option,
    reply: option,
  }),
  list: endpoint.get('/api/users', {
    permission: 'user',
    summary:
      'All users by username; only id, name and username unless the caller is an administrator',
    // Sorting by fields that other users may not see would reveal them.
    query: sortedQuery(['username', 'name'], ['email']),
    reply: z.array(z.union([user, otherUser])),
  }),
  create: endpoint.post('/api/users', {
    permission: 'admin',
    summary: 'Add a user',
    body: newUser,
    reply: user,
    status: 201,
    refuses: ['user.username_taken', 'user.email_taken'],
  }),
  one: endpoint.get('/api/users/:user_id', {
    permission: 'user',
    summary: 'One user: oneself, or anybody for an administrator',
    reply: user,
    versioned: true,
    refuses: ['permission.admin_required'],
  }),
  update: endpoint.put('/api/users/:user_id', {
    permission: 'user',
    summary:
      'Change a user: oneself, or anybody for an administrator. Ten minutes after a sign-in one’s own login and e-mail ask for `old_password`; a token never changes them',
    body: userChange,
    forms: passwordForms,
    versioned: true,
    refuses: [
      'permission.admin_required',
      'permission.session_needed',
      'user.own_admin',
      'user.username_taken',
      'user.email_taken',
      'user.last_admin',
      'request.rate_limited',
      'session.directory_unreachable',
    ],
  }),
  remove: endpoint.delete('/api/users/:user_id', {
    permission: 'admin',
    summary: 'Delete a user: not oneself, and nobody who is the only owner of a project',
    refuses: ['user.own_account', 'user.last_admin', 'user.last_owner'],
  }),
  refs: refsEndpoint('/api/users/:user_id', 'a user: nothing does', { permission: 'admin' }),
  password: endpoint.post('/api/users/:user_id/password', {
    permission: 'user',
    summary: 'Set a password; sessions of the user end, but not the one that asks',
    body: passwordChange,
    forms: passwordForms,
    refuses: [
      'permission.admin_required',
      'permission.session_needed',
      'request.rate_limited',
      'session.directory_unreachable',
    ],
  }),
  removeSecondFactor: endpoint.delete('/api/users/:user_id/second_factor', {
    permission: 'admin',
    token: 'none',
    summary: 'Remove the second factor of somebody else; their sessions end',
    refuses: ['second_factor.own', 'second_factor.not_active'],
  }),
};
