// Signatures that cover a timestamp beside the body, which limits replays: Standard Webhooks, which GitLab
// sends from version 19 on, and those of Slack and its imitators.

import { createHmac } from 'node:crypto';
import type { AuthMethod } from '#shared/webhooks/auth-methods.ts';
import { digest, safeEqual } from '../../lib/digest.ts';
import { toReason, type Reason } from './evaluate.ts';
import { headerOf, type Incoming } from './request.ts';

/** Of Standard Webhooks. */
export const signatureHeader = 'webhook-signature';

export interface TimestampedSignature {
  header: string;
  signatures: Buffer[];
  /** The signed bytes. */
  content: Buffer;
  /** Identifies the request among all others. */
  names: string;
  /** The time in the request, in seconds; NaN if it is none. */
  time: number;
}

type Request = Pick<Incoming, 'headers' | 'bytes'>;
interface SignatureSettings {
  method: AuthMethod;
  /** The header that the integration requires. */
  header: string;
}

/** The timestamped signature of a request; null: it has none that the method accepts. */
export function findTimestampedSignature(
  { method, header }: SignatureSettings,
  request: Request,
): TimestampedSignature | null {
  if (method === 'gitlab' || method === 'hmac') {
    const standard = standardOf(request);
    if (standard) return standard;
  }
  return method === 'hmac' ? versionedOf(header, request) : null;
}

/** `v1,` and base64, several with a space between, over `id.time.body`. */
function standardOf({ headers, bytes }: Request): TimestampedSignature | null {
  const given = headerOf(headers, signatureHeader);
  const id = headerOf(headers, 'webhook-id');
  const time = headerOf(headers, 'webhook-timestamp');
  if (given === null || id === null || time === null) return null;
  const signatures = given
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice(3), 'base64'));
  const content = Buffer.concat([Buffer.from(`${id}.${time}.`), bytes]);
  return { header: signatureHeader, signatures, content, names: `id ${id}`, time: secondsOf(time) };
}

/** `v0=` and hex over `v0:time:body`, with the time in a header such as `X-Slack-Request-Timestamp`. */
function versionedOf(header: string, { headers, bytes }: Request): TimestampedSignature | null {
  const given = headerOf(headers, header)?.trim() ?? '';
  const timed = Object.entries(headers).find(([name]) => /-request-timestamp$/i.test(name));
  if (!timed || !/^v0=[\da-f]{64}$/i.test(given)) return null;
  const [, time] = timed;
  const content = Buffer.concat([Buffer.from(`v0:${time}:`), bytes]);
  const signatures = [Buffer.from(given.slice(3), 'hex')];
  const names = `v0 ${time} ${digest(bytes)}`;
  return { header, signatures, content, names, time: secondsOf(time) };
}

const secondsOf = (text: string): number => (/^\d{1,12}$/.test(text) ? Number(text) : Number.NaN);

export function isSignatureValid(
  { signatures, content }: TimestampedSignature,
  password: string,
): boolean {
  const key = keyOf(password);
  if (key === null) return false;
  const wanted = createHmac('sha256', key).update(content).digest();
  return signatures.some((signature) => safeEqual(signature, wanted));
}

const secretPrefix = 'whsec_';
const MIN_KEY_LENGTH = 16;

/** A secret with this prefix is base64. Null: the decoded key is so short that it could be guessed. */
function keyOf(password: string): Buffer | null {
  if (!password.startsWith(secretPrefix)) return Buffer.from(password);
  const key = Buffer.from(password.slice(secretPrefix.length), 'base64');
  return key.length < MIN_KEY_LENGTH ? null : key;
}

/** How far the clocks of sender and server may differ, in seconds. */
const tolerance = 300;

/** Why the time of a valid signature is refused; null: it is accepted. */
export function staleReason({ time }: TimestampedSignature, now: Date): Reason | null {
  const away = Math.round(now.getTime() / 1000 - time);
  if (Math.abs(away) <= tolerance) return null;
  const sent = Number.isNaN(time) ? '' : new Date(time * 1000).toISOString();
  return toReason('delivery.time_wrong', { sent, now: now.toISOString() });
}
