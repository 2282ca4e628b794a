// Refusals that clients of other versions of the API know by a word in `error`.

import type { ErrorCode } from '../errors.ts';

export const otherWords: Partial<Record<ErrorCode, string>> = {
  // Such a client asks for the code of the second factor then, and sends it to `auth/verify`.
  'session.verification_required': 'TOTP_REQUIRED',
};
