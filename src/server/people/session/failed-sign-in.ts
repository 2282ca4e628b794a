// Writes a line to the log for each failed sign-in, at every level of the log. Programs such as
// fail2ban read these lines with the filter in docs/guide/operation.md, so their form must not change.

import type { Context } from '../../context/context.ts';
import { heard } from '../../../node/log/log.ts';

/** `locked`: too many attempts came before. `provider`: the answer of the provider was not sufficient. */
export type SignInFailure = 'password' | 'code' | 'locked' | 'provider';

/** `account` is the login; empty when the typed name does not exist, since it may be a password. */
export function logFailedSignIn(
  { log, telemetry, by }: Pick<Context, 'log' | 'telemetry' | 'by'>,
  account: string,
  reason: SignInFailure,
): void {
  heard(log).warn({ ip: by.ip, account, reason }, 'sign-in failed');
  telemetry.count('signalbox_sign_in_failures_total', { reason });
}
