// A line of the log for each sign-in that failed, whatever the level of the log is: programs such
// as fail2ban read it. docs/guide/operation.md holds the filter, and its form must not change.

import type { Context } from '../context.ts';
import { heard } from '../../runner/system/log.ts';

/** `locked`: too many attempts before this one. `provider`: what a provider said is not enough. */
export type SignInFailure = 'password' | 'code' | 'locked' | 'provider';

/** `account`: its login; empty where nobody has what was typed, which may be a password. */
export function logFailedSignIn(
  { log, by }: Pick<Context, 'log' | 'by'>,
  account: string,
  reason: SignInFailure,
): void {
  heard(log).warn({ ip: by.ip, account, reason }, 'sign-in failed');
}
