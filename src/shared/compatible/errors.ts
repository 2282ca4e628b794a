// Refusals that clients of other versions of the API recognize by a word in `error`.

import type { ErrorCode } from '../catalogue/errors.ts';

const words: Partial<Record<ErrorCode, string>> = {
  // Such clients then prompt for the code of the second factor, and send it to `auth/verify`.
  'session.verification_required': 'TOTP_REQUIRED',
};

const wordsOfWrongCodes: Record<string, string> = {
  '/api/auth/verify': 'INVALID_PASSCODE',
  '/api/auth/recovery': 'INVALID_RECOVERY_CODE',
};

/** The word for a refusal of this endpoint; undefined: none. */
export const wordOf = (code: ErrorCode, endpointPath: string): string | undefined =>
  code === 'session.wrong_code' ? wordsOfWrongCodes[endpointPath] : words[code];
