// Sends an alert as e-mail, through the mail server of the settings.

import type { AlertError } from '#shared/catalogue/alert-errors.ts';
import type { AlertSettings } from '../config/config.ts';
import type { SendResult } from './alert.ts';
import { mailOf, type Outgoing } from './messages.ts';

const loginRefused = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2']);

const reasons: Record<string, AlertError> = {
  EDNS: 'unresolved',
  ETLS: 'tls',
  EREQUIRETLS: 'tls',
  ETIMEDOUT: 'timeout',
  EABORT: 'timeout',
  ECONNECTION: 'connection',
  ESOCKET: 'connection',
};

interface MailFailure {
  code?: string;
  responseCode?: number;
}

function failure(error: unknown): SendResult {
  const { code = '', responseCode: status = null } = error as MailFailure;
  const isLogin = loginRefused.has(code);
  const reason = isLogin ? 'mail_login' : status ? 'mail_refused' : (reasons[code] ?? 'connection');
  // Mail servers answer permanent refusals with a number from 500. A refused login is not final, since
  // an administrator may correct it.
  const isFinal = status !== null && status >= 500 && !isLogin;
  return { status, error: reason, isFinal, retryAfter: null };
}

/** Sends one message to all of these addresses. */
export async function sendMail(
  { smtpUrl, smtpFrom }: AlertSettings,
  addresses: string[],
  outgoing: Outgoing,
  limits: { signal: AbortSignal; ms: number },
): Promise<SendResult> {
  if (smtpUrl === null)
    return { status: null, error: 'not_set_up', isFinal: true, retryAfter: null };
  // Loaded with the first message, since most installations send none.
  const { createTransport } = await import('nodemailer');
  const { ms } = limits;
  const times = { dnsTimeout: ms, connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms };
  const transport = createTransport({
    url: smtpUrl,
    ...times,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const end = (): void => transport.close();
  limits.signal.addEventListener('abort', end, { once: true });
  try {
    const sending = transport.sendMail({
      from: smtpFrom,
      // As objects, so that a text with commas stays one address.
      to: addresses.map((address) => ({ name: '', address })),
      ...mailOf(outgoing),
      messageId: `<${outgoing.id}@signalbox>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    const { rejected } = await Promise.race([sending, aborted(limits.signal)]);
    const error = rejected.length > 0 ? 'mail_some_refused' : null;
    return { status: 250, error, isFinal: true, retryAfter: null };
  } catch (error) {
    return failure(error);
  } finally {
    limits.signal.removeEventListener('abort', end);
    end();
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const refuse = (): void => reject(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }));
    if (signal.aborted) refuse();
    else signal.addEventListener('abort', refuse, { once: true });
  });
}
