// Logs each failed sign-in, at every log level. fail2ban and others parse these lines
// (docs/guide/operation.md), so their format must not change.

import type { Context } from '../../context/context.ts';
import { heard } from '../../../node/log/log.ts';

/** `locked`: too many attempts. `provider`: the response of the provider was insufficient. */
export type SignInFailure = 'password' | 'code' | 'locked' | 'provider';

/** `account` is empty for an unknown name, since it may be a password. */
export function logFailedSignIn(
  { log, telemetry, by }: Pick<Context, 'log' | 'telemetry' | 'by'>,
  account: string,
  reason: SignInFailure,
): void {
  heard(log).warn({ ip: by.ip, account, reason }, 'sign-in failed');
  telemetry.count('signalbox_sign_in_failures_total', { reason });
}
