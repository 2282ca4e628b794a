// An authenticator app.

import { TOTP } from 'otpauth';
import { secondFactor } from '#shared/api/second-factor.ts';
import { password, type Caller, type TestApp } from './app.ts';

export const stepMs = 30_000;

interface Authenticator {
  /** The code at present, or so many steps later. */
  code: (steps?: number) => string;
  secret: string;
  recoveryCodes: string[];
}

/** The six digits for a secret at a time. */
export const codeOf = (secret: string, time: Date): string =>
  new TOTP({ secret }).generate({ timestamp: time.getTime() });

/** Sets up a second factor. The code for it counts as used, so the clock moves one step. */
export async function withSecondFactor(app: TestApp, caller: Caller): Promise<Authenticator> {
  const { secret } = await caller.call(secondFactor.start, {});
  const code = (steps = 0) => codeOf(secret, new Date(app.clock.now().getTime() + steps * stepMs));
  const body = { code: code(), password };
  const { recovery_codes: recoveryCodes } = await caller.call(secondFactor.confirm, { body });
  app.clock.advance(stepMs);
  return { secret, code, recoveryCodes };
}
