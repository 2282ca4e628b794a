// Sends an alert by e-mail.

import type { AlertError } from '#shared/catalogue/alert-errors.ts';
import { unlessAborted } from '../../node/net/connections.ts';
import type { AlertSettings } from '../config/config.ts';
import { finalResult, type SendResult } from './alert.ts';
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
  // Permanent SMTP errors are 5xx. A refused login is not final, because an administrator may correct it.
  const isFinal = status !== null && status >= 500 && !isLogin;
  return { status, error: reason, isFinal, retryAfter: null };
}

export async function sendMail(
  { smtpUrl, smtpFrom }: AlertSettings,
  addresses: string[],
  outgoing: Outgoing,
  limits: { signal: AbortSignal; ms: number },
): Promise<SendResult> {
  if (smtpUrl === null) return finalResult(null, 'not_set_up');
  // Loaded lazily, since most installations send none.
  const { createTransport } = await import('nodemailer');
  const { ms } = limits;
  const times = { dnsTimeout: ms, connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms };
  const transport = createTransport({
    url: smtpUrl,
    ...times,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const sending = transport.sendMail({
      from: smtpFrom,
      // Objects, so that a comma does not separate addresses.
      to: addresses.map((address) => ({ name: '', address })),
      ...mailOf(outgoing),
      messageId: `<${outgoing.id}@signalbox>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    const { rejected } = await unlessAborted(limits.signal, sending);
    return finalResult(250, rejected.length > 0 ? 'mail_some_refused' : null);
  } catch (error) {
    return failure(limits.signal.aborted ? { code: 'ETIMEDOUT' } : error);
  } finally {
    transport.close();
  }
}
