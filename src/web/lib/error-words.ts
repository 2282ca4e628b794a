// The words for something that failed, in the language of the person.

import { isErrorCode, isFieldCode, type Params } from '#shared/errors.ts';
import { ApiError } from './api.ts';
import { t } from './i18n.ts';

export function errorWords(error: unknown): string {
  if (!(error instanceof ApiError)) {
    return error instanceof Error && error.message ? error.message : t('error.unknown');
  }
  const { code, params, error: sentence } = error.body;
  if (code && isErrorCode(code)) return t(`errors.${code}`, { ...params });
  if (sentence) return sentence;
  if (error.status === 0) return t('error.network');
  return t('error.status', { status: error.message });
}

/** The id under which the server logged the failure; only for what is not the caller's fault. */
export const requestIdOf = (error: unknown): string | undefined =>
  error instanceof ApiError && error.status >= 500 ? error.body.request_id : undefined;

export function fieldWords(code: string, params: Params = {}, fallback?: string): string {
  return isFieldCode(code) ? t(`fields.${code}`, { ...params }) : (fallback ?? t('error.field'));
}
