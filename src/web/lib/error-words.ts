// Describes failures in the language of the user.

import type { Params } from '#shared/catalogue/catalogue.ts';
import { isRight } from '#shared/rights.ts';
import { sectionsOfHolders } from '#shared/holders.ts';
import type { ShownReason, TaskFailure } from '#shared/api/coded-messages.ts';
import type { Excess } from '#shared/grants/excess.ts';
import { ApiError } from './api.ts';
import { isKnown, languageTag, timeTag, t } from './i18n.ts';
import { dayName, exactTime } from './time.ts';

export function errorWords(error: unknown): string {
  if (!(error instanceof ApiError)) {
    return error instanceof Error && error.message ? error.message : t('error.unknown');
  }
  const { code, params, error: sentence } = error.body;
  if (code && isKnown('errors', code))
    return t(`errors.${code}`, {
      ...params,
      ...holderWords(params),
      ...rightWords(params),
      ...limitWords(params),
    });
  if (sentence) return sentence;
  if (error.status === 0) return t('error.network');
  return t('error.status', { status: error.message });
}

/** What refers to a resource that cannot be deleted: "Templates: A, B". */
function holderWords(params: Params = {}): { names?: string } {
  const words = sectionsOfHolders(params).map(
    ([section, names]) => `${t(`references.${section}`)}: ${names}`,
  );
  return words.length > 0 ? { names: words.join('; ') } : {};
}

/** The rights that a role lacks, by their names. */
const rightWords = (params: Params = {}): Params =>
  Object.fromEntries(
    ['right', 'rights'].flatMap((param) => {
      const value = params[param];
      return typeof value === 'string' ? [[param, rightNamesOf(value)]] : [];
    }),
  );

const rightNamesOf = (rights: string): string =>
  rights
    .split(', ')
    .map((right) => (isRight(right) ? t(`rights.${right}.name`) : right))
    .join(', ');

/** What the limit of a grant allows. */
function limitWords({ allowed, limit, name = '', values = '', days = '' }: Params = {}): Params {
  if (allowed === undefined || limit === undefined) return {};
  const names = String(days)
    .split(', ')
    .map((day) => dayName(Number(day), languageTag));
  return {
    allowed: t(`access.limits.said.${limit as Excess['limit']}`, {
      name,
      values,
      days: names.join(', '),
    }),
  };
}

/** The id under which the server logged the failure; only for internal errors. */
export const requestIdOf = (error: unknown): string | undefined =>
  error instanceof ApiError && error.status >= 500 ? error.body.request_id : undefined;

export function fieldWords(code: string, params: Params = {}, fallback?: string): string {
  return isKnown('fields', code)
    ? t(`fields.${code}`, { ...params })
    : (fallback ?? t('error.field'));
}

/** Why a plan needs a confirmation although it was approved. */
export const confirmationWords = ({ code, params, text }: ShownReason): string =>
  isKnown('confirmation_reasons', code)
    ? t(`confirmation_reasons.${code}`, { ...params, ...timeWords(params) })
    : text;

const timeWords = ({ time }: Params): { time?: string } =>
  typeof time === 'string' ? { time: exactTime(time, timeTag()) } : {};

export const failureWords = ({ code, params, text }: TaskFailure): string =>
  isKnown('failures', code) ? t(`failures.${code}`, { ...params, ...limitWords(params) }) : text;
