import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { secret } from '../fields.ts';

const state = z.object({
  /** Whether a sign-in requires a code. */
  active: z.boolean(),
  /** Whether the settings of the server require a second factor. */
  required: z.boolean(),
  /** Whether the user can set one up; users of identity providers cannot. */
  available: z.boolean(),
  recovery_codes: z.number(),
});
export type SecondFactor = z.output<typeof state>;

export const password = secret(
  z
    .string({ error: (issue) => (issue.input == null ? 'user.password_required' : undefined) })
    .min(1, { error: 'user.password_required' })
    .max(1024),
);

/** Changes of a second factor require the password, so that a stolen session is not sufficient. */
export const passwordProof = z.strictObject({ password });

export const confirmation = z.strictObject({
  code: secret(
    z
      .string({
        error: (issue) => (issue.input == null ? 'second_factor.code_required' : undefined),
      })
      .trim()
      .min(1, { error: 'second_factor.code_required' })
      .max(64),
  ),
  password,
});

const recoveryCodes = z.object({ recovery_codes: secret(z.array(z.string())) });

const shared = { permission: 'user', token: 'none', duringSetup: true } as const;

export const secondFactor = {
  state: endpoint.get('/api/user/second_factor', {
    ...shared,
    summary: 'Whether the caller has a second factor, or has to have one',
    reply: state,
  }),
  start: endpoint.post('/api/user/second_factor', {
    ...shared,
    summary:
      'Make a secret for one-time passwords. It is shown this once, and holds once confirmed',
    reply: z.object({
      /** In Base32, for authenticator apps. */
      secret: secret(z.string()),
      /** As an `otpauth:` address, for a QR code. */
      uri: secret(z.string()),
    }),
    refuses: ['second_factor.elsewhere', 'second_factor.active'],
  }),
  confirm: endpoint.post('/api/user/second_factor/confirm', {
    ...shared,
    summary:
      'Begin to ask for codes; other sessions of the caller end. Recovery codes are shown this once',
    body: confirmation,
    reply: recoveryCodes,
    refuses: [
      'second_factor.active',
      'second_factor.not_started',
      'request.rate_limited',
      'secret.not_opened',
    ],
  }),
  remove: endpoint.post('/api/user/second_factor/remove', {
    ...shared,
    summary: 'Ask for codes no longer; other sessions of the caller end',
    body: passwordProof,
    refuses: ['second_factor.not_active', 'request.rate_limited', 'session.directory_unreachable'],
  }),
  renewCodes: endpoint.post('/api/user/second_factor/recovery_codes', {
    ...shared,
    summary: 'Make new recovery codes, which are shown only once; earlier ones are no longer valid',
    body: passwordProof,
    reply: recoveryCodes,
    refuses: ['second_factor.not_active', 'request.rate_limited', 'session.directory_unreachable'],
  }),
};
