import type { AuthMethodInput } from '#shared/webhooks/auth-methods.ts';
import type { Trial } from '#shared/api/deliveries.ts';
import { isKnown, t } from '../../lib/i18n.ts';

export const methodWords = (method: AuthMethodInput) => method || 'none';

export function reasonWords({ code, params, text }: Trial['reason']): string {
  if (isKnown('deliveries', code)) return t(`deliveries.${code}`, { ...params });
  if (isKnown('errors', code)) return t(`errors.${code}`, { ...params });
  return isKnown('fields', code) ? t(`fields.${code}`, { ...params }) : text;
}
