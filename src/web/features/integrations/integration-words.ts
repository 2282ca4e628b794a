import type { AuthMethod } from '#shared/api/integrations.ts';
import type { Trial } from '#shared/api/deliveries.ts';
import { type DeliveryCode, deliveryCodes } from '#shared/deliveries.ts';
import { isErrorCode, isFieldCode } from '#shared/errors.ts';
import { t } from '../../lib/i18n.ts';

/** The key of the words of an authentication method: `none` for the empty one. */
export const methodWords = (method: AuthMethod) => method || 'none';

const isDeliveryCode = (code: string): code is DeliveryCode =>
  (deliveryCodes as readonly string[]).includes(code);

/** The reason for the result of a delivery, in the language of the user. */
export function reasonWords({ code, params, text }: Trial['reason']): string {
  if (isDeliveryCode(code)) return t(`deliveries.${code}`, { ...params });
  if (isErrorCode(code)) return t(`errors.${code}`, { ...params });
  return isFieldCode(code) ? t(`fields.${code}`, { ...params }) : text;
}
