import type { AuthMethodInput } from '#shared/webhooks/auth-methods.ts';
import type { Trial } from '#shared/api/deliveries.ts';
import { isKnown, t } from '../../lib/i18n.ts';

/** The key of the words of an authentication method: `none` for the empty one. */
export const methodWords = (method: AuthMethodInput) => method || 'none';

/** The reason for the result of a delivery, in the language of the user. */
export function reasonWords({ code, params, text }: Trial['reason']): string {
  if (isKnown('deliveries', code)) return t(`deliveries.${code}`, { ...params });
  if (isKnown('errors', code)) return t(`errors.${code}`, { ...params });
  return isKnown('fields', code) ? t(`fields.${code}`, { ...params }) : text;
}
