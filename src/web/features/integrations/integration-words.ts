import type { AuthMethod } from '#shared/api/integrations.ts';
import type { Trial } from '#shared/api/deliveries.ts';
import { type DeliveryCode, deliveryCodes } from '#shared/deliveries.ts';
import { isErrorCode, isFieldCode } from '#shared/errors.ts';
import { t } from '../../lib/i18n.ts';

/** The words of a method: the empty one has no name of its own. */
export const methodWords = (method: AuthMethod) => method || 'none';

const isDeliveryCode = (code: string): code is DeliveryCode =>
  (deliveryCodes as readonly string[]).includes(code);

/** Why something came of a request, in the language of the person. */
export function reasonWords({ code, params, text }: Trial['reason']): string {
  if (isDeliveryCode(code)) return t(`deliveries.${code}`, { ...params });
  if (isErrorCode(code)) return t(`errors.${code}`, { ...params });
  return isFieldCode(code) ? t(`fields.${code}`, { ...params }) : text;
}
