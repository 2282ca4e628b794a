import { createHmac } from 'node:crypto';
import { trimEndOf } from '#shared/trim-end.ts';
import { type AlertType, alertTypeNeeds } from '#shared/alerts.ts';
import type { Config } from '../config/config.ts';
import {
  jsonRequest,
  OutboundError,
  sendOutbound,
  type OutboundAnswer,
  type OutboundRequest,
} from '../lib/outbound.ts';
import { finalResult, type SendResult } from './alert.ts';
import { sendMail } from './mail.ts';
import { bodyOf, type Outgoing } from './messages.ts';

/** A receiver with its opened secrets. */
export interface AlertTarget {
  type: AlertType;
  addresses: string[];
  chat: string;
  address: string;
  secret: string;
}

/** For a whole attempt: name resolution, connection, TLS and response. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** Failures are results, not exceptions. Only the status of the response is kept. */
export async function sendAlert(
  config: Pick<Config, 'alerts' | 'publicUrl' | 'proxies'>,
  target: AlertTarget,
  alert: Omit<Outgoing, 'publicUrl'>,
  { stop, ms = ATTEMPT_TIMEOUT_MS }: { stop?: AbortSignal; ms?: number } = {},
): Promise<SendResult> {
  if (!isComplete(target)) return finalResult(null, 'incomplete');
  const outgoing = { ...alert, publicUrl: config.publicUrl };
  if (target.type === 'email') {
    const limits = { signal: limitOf(stop, ms), ms };
    return sendMail(config.alerts, target.addresses, outgoing, limits);
  }
  const request = requestTo({ ...target, type: target.type }, outgoing, config);
  return sendRequest(config, request, { stop, ms });
}

/** Sends a request to an address that users have chosen. Failures are results. */
export async function sendRequest(
  { alerts: { allowed }, proxies }: Pick<Config, 'alerts' | 'proxies'>,
  request: OutboundRequest,
  { stop, ms }: { stop?: AbortSignal | undefined; ms: number },
  toResult: (answer: OutboundAnswer) => SendResult = resultOf,
): Promise<SendResult> {
  try {
    return toResult(await sendOutbound(request, { allowed, proxies, signal: limitOf(stop, ms) }));
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const isFinal = error.reason === 'refused_address';
    return { status: null, error: error.reason, isFinal, retryAfter: null };
  }
}

function limitOf(stop: AbortSignal | undefined, ms: number): AbortSignal {
  const clock = AbortSignal.timeout(ms);
  return stop ? AbortSignal.any([clock, stop]) : clock;
}

/** Restored channels lack their address and secret. */
function isComplete({ type, addresses, chat, address, secret }: AlertTarget): boolean {
  if (type === 'email') return addresses.length > 0;
  const needs = alertTypeNeeds[type];
  if (type === 'telegram' && chat === '') return false;
  return !(needs.address && address === '') && !(needs.secret === 'required' && secret === '');
}

type HttpTarget = AlertTarget & { type: Exclude<AlertType, 'email'> };

function requestTo(
  target: HttpTarget,
  outgoing: Outgoing,
  { alerts }: Pick<Config, 'alerts'>,
): OutboundRequest {
  const { type, address, secret, chat } = target;
  const body = bodyOf[type](outgoing);
  if (type === 'telegram') {
    return jsonRequest(`${alerts.telegramApi}/bot${secret}/sendMessage`, {
      chat_id: chat,
      ...body,
    });
  }
  if (type === 'gotify') {
    return jsonRequest(`${trimEndOf(address, '/')}/message`, body, { 'X-Gotify-Key': secret });
  }
  if (type === 'ntfy') {
    const [, base = '', topic = ''] = /^(.*\/)([\w-]+)$/.exec(address) ?? [];
    return jsonRequest(
      base,
      { topic, ...body },
      secret ? { Authorization: `Bearer ${secret}` } : {},
    );
  }
  if (type === 'webhook') return jsonRequest(address, body, signed(body, outgoing.id, secret));
  return jsonRequest(address, body);
}

function signed(body: object, id: string, secret: string): Record<string, string> {
  const headers = { 'X-Signalbox-Delivery': id };
  if (!secret) return headers;
  const signature = createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex');
  return { ...headers, 'X-Signalbox-Signature': `sha256=${signature}` };
}

export function resultOf({ status, headers }: OutboundAnswer): SendResult {
  if (status >= 200 && status < 300) return finalResult(status, null);
  if (status < 400) return finalResult(status, 'redirect');
  const isFinal = status < 500 && status !== 408 && status !== 429;
  return { status, error: 'status', isFinal, retryAfter: secondsOf(headers['retry-after']) };
}

/** Parses Retry-After, which has seconds or a date; null when it has neither. Returns seconds. */
function secondsOf(value: string | undefined): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - Date.now()) / 1000));
}
