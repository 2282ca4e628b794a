// Sends one alert to one recipient at once, and returns the result.

import { createHmac } from 'node:crypto';
import { trimEndOf } from '#shared/trim-end.ts';
import { type AlertType, alertTypeNeeds } from '#shared/alerts.ts';
import type { Config } from '../config/config.ts';
import {
  OutboundError,
  sendOutbound,
  type OutboundAnswer,
  type OutboundRequest,
} from '../lib/outbound.ts';
import type { SendResult } from './alert.ts';
import { sendMail } from './mail.ts';
import { bodyOf, type Outgoing } from './messages.ts';

/** The receiver of an alert, with its address and secret. */
export interface AlertTarget {
  type: AlertType;
  addresses: string[];
  chat: string;
  address: string;
  secret: string;
}

/** The limit for a whole attempt in milliseconds: name resolution, connection, TLS and answer. */
export const answerLimit = 10_000;

/** Sends an alert. Failures are results and not exceptions. Only the status of the answer is kept. */
export async function sendAlert(
  config: Pick<Config, 'alerts' | 'publicUrl' | 'proxies'>,
  target: AlertTarget,
  alert: Omit<Outgoing, 'publicUrl'>,
  { stop, ms = answerLimit }: { stop?: AbortSignal; ms?: number } = {},
): Promise<SendResult> {
  if (!isComplete(target)) {
    return { status: null, error: 'incomplete', isFinal: true, retryAfter: null };
  }
  const outgoing = { ...alert, publicUrl: config.publicUrl };
  if (target.type === 'email') {
    const limits = { signal: limitOf(stop, ms), ms };
    return sendMail(config.alerts, target.addresses, outgoing, limits);
  }
  const request = requestTo({ ...target, type: target.type }, outgoing, config);
  return sendRequest(config, request, { stop, ms });
}

/** Sends a request to an address that people of a project have chosen. Failures are results. */
export async function sendRequest(
  { alerts: { allowed }, proxies }: Pick<Config, 'alerts' | 'proxies'>,
  request: OutboundRequest,
  { stop, ms }: { stop?: AbortSignal | undefined; ms: number },
  judge: (answer: OutboundAnswer) => SendResult = resultOf,
): Promise<SendResult> {
  try {
    return judge(await sendOutbound(request, { allowed, proxies, signal: limitOf(stop, ms) }));
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

/** Whether a channel has its address and secret; a restored one has not. */
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
  const json = (url: string, body: object, headers: Record<string, string> = {}) => {
    const text = JSON.stringify(body);
    return {
      url,
      method: 'POST' as const,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': String(Buffer.byteLength(text)),
        'User-Agent': 'Signalbox',
        ...headers,
      },
      body: text,
    };
  };
  const body = bodyOf[type](outgoing);
  if (type === 'telegram') {
    return json(`${alerts.telegramApi}/bot${secret}/sendMessage`, { chat_id: chat, ...body });
  }
  if (type === 'gotify') {
    return json(`${trimEndOf(address, '/')}/message`, body, { 'X-Gotify-Key': secret });
  }
  if (type === 'ntfy') {
    const [, base = '', topic = ''] = /^(.*\/)([\w-]+)$/.exec(address) ?? [];
    return json(base, { topic, ...body }, secret ? { Authorization: `Bearer ${secret}` } : {});
  }
  if (type === 'webhook') return json(address, body, signed(body, outgoing.id, secret));
  return json(address, body);
}

function signed(body: object, id: string, secret: string): Record<string, string> {
  const headers = { 'X-Signalbox-Delivery': id };
  if (!secret) return headers;
  const signature = createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex');
  return { ...headers, 'X-Signalbox-Signature': `sha256=${signature}` };
}

export function resultOf({ status, headers }: OutboundAnswer): SendResult {
  if (status >= 200 && status < 300) {
    return { status, error: null, isFinal: true, retryAfter: null };
  }
  if (status < 400) return { status, error: 'redirect', isFinal: true, retryAfter: null };
  const isFinal = status < 500 && status !== 408 && status !== 429;
  return { status, error: 'status', isFinal, retryAfter: secondsOf(headers['retry-after']) };
}

/** Parses the header Retry-After, which has seconds or a time; null when it has neither. Answers seconds. */
function secondsOf(value: string | undefined): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - Date.now()) / 1000));
}
