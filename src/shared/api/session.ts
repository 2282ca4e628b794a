import { z } from 'zod';
import { compatOnly } from '../compatible/forms.ts';
import { endpoint } from './endpoint.ts';
import { id, noControls, optional, secret, time } from '../fields.ts';
import { password } from './second-factor.ts';

const loginInfo = z.object({
  oidc_providers: z.array(
    z.object({ id: z.string(), name: z.string(), color: z.string(), icon: z.string() }),
  ),
  login_with_password: z.boolean(),
  ...compatOnly({ auth_methods: z.object({ totp: z.object({ allow_recovery: z.boolean() }) }) }),
});

const code = secret(z.string().trim().min(1, { error: 'second_factor.code_required' }).max(64));
// Wrong passwords and codes have lower limits, so that users behind the same address, such as a proxy's, do not lock each
// other out.
const guessing = { max: 600, windowSeconds: 60 };

const credentials = z.object({
  auth: z
    .string({ error: (issue) => (issue.input == null ? 'user.username_required' : undefined) })
    .trim()
    .min(1, { error: 'user.username_required' })
    .max(255)
    .refine(noControls, { error: 'field.control_characters' }),
  password,
  /**
   * The second factor, for users with one: six digits, or a recovery code. Empty: checks whether it is needed. Absent: it
   * is sent to `auth/verify`.
   */
  code: optional(secret(z.string().trim().max(64))),
});

const ownSession = z.object({
  id,
  created: time,
  last_active: time,
  expires: time,
  ip: z.string(),
  user_agent: z.string(),
  current: z.boolean(),
});
export type Session = z.output<typeof ownSession>;

export const session = {
  list: endpoint.get('/api/user/sessions', {
    permission: 'user',
    summary: 'The sessions of the caller, the last used first',
    reply: z.array(ownSession),
  }),
  revoke: endpoint.delete('/api/user/sessions/:session_id', {
    permission: 'user',
    token: 'none',
    summary: 'End a session of the caller',
  }),
  revokeOthers: endpoint.delete('/api/user/sessions', {
    permission: 'user',
    token: 'none',
    summary: 'End all sessions of the caller but the one that asks',
  }),
  ways: endpoint.get('/api/auth/login', {
    permission: 'public',
    summary: 'The ways to sign in that this server offers',
    rateLimit: { max: 600, windowSeconds: 60, perServer: true },
    reply: loginInfo,
  }),
  signIn: endpoint.post('/api/auth/login', {
    permission: 'public',
    summary: 'Sign in with login or e-mail and password; sets the session cookie',
    body: credentials,
    rateLimit: guessing,
    refuses: [
      'session.bad_credentials',
      'session.code_required',
      'session.wrong_code',
      'session.slowed',
      'session.directory_unreachable',
      'session.directory_search',
      'identity.email_missing',
      'identity.email_taken',
      'identity.no_account',
      'user.username_taken',
      'secret.not_opened',
    ],
  }),
  verify: endpoint.post('/api/auth/verify', {
    permission: 'public',
    forOthers: true,
    summary:
      'Send the code of the second factor after a sign-in without `code`; sets the session cookie',
    body: z.object({ passcode: code }),
    rateLimit: guessing,
    refuses: ['session.required', 'session.wrong_code', 'session.slowed', 'secret.not_opened'],
  }),
  recover: endpoint.post('/api/auth/recovery', {
    permission: 'public',
    forOthers: true,
    summary:
      'Send a recovery code in place of the code. It is valid once, and the second factor stays',
    body: z.object({ recovery_code: code }),
    rateLimit: guessing,
    refuses: ['session.required', 'session.wrong_code', 'session.slowed', 'secret.not_opened'],
  }),
  signOut: endpoint.post('/api/auth/logout', {
    permission: 'public',
    summary:
      'End the session of the cookie. Where a provider keeps one too, the answer says where it ends',
    reply: z.object({ end_session_url: z.string() }).nullable(),
    rateLimit: { max: 60, windowSeconds: 60 },
  }),
};
