// Authenticates the sender of a request by the secret of an integration. Pure functions. Secrets are
// compared by their hashes, so neither time nor length reveals how much of a guess was right.

import { createHmac } from 'node:crypto';
import { type AuthMethod, canonicalAuthMethod } from '#shared/webhooks/auth-methods.ts';
import { type Integration } from '#shared/api/integrations.ts';
import { digest, safeEqual } from '../../lib/digest.ts';
import { toReason, type Reason } from './evaluate.ts';
import { headerOf, payloadOf, type Incoming } from './request.ts';
import {
  findTimestampedSignature,
  isSignatureValid,
  signatureHeader,
  staleReason,
} from './timestamped-signatures.ts';

export interface Login {
  login: string;
  password: string;
}

const usual: Record<Exclude<AuthMethod, ''>, string> = {
  github: 'X-Hub-Signature-256',
  gitlab: 'X-Gitlab-Token',
  bitbucket: 'X-Hub-Signature',
  hmac: 'X-Hub-Signature-256',
  token: 'Authorization',
  basic: 'Authorization',
};

type Auth = Pick<Integration, 'auth_method' | 'auth_header'>;

/** The headers with credentials of the integration. */
export function credentialHeaders(auth: Auth): string[] {
  const header = ownHeader(auth);
  return header === null ? [] : [header, signatureHeader];
}

/** The header with the credentials; null without authentication. */
function ownHeader({ auth_method: named, auth_header: name }: Auth): string | null {
  const method = canonicalAuthMethod(named);
  if (method === '') return null;
  const mayBeNamed = method === 'token' || method === 'hmac';
  return (mayBeNamed && name) || usual[method];
}

export type Checked =
  | { refusal: Reason }
  /** `signed` names the signed content; null when the sender does not sign. */
  | { refusal: null; signed: string | null };

/**
 * Whether a sender is accepted. Without a secret to compare with, every sender is refused.
 *
 * A signature of the body stays valid as long as the secret, can be written in several forms, and does
 * not cover the rest of the request. So a repeated request is recognised by the signed content, not by
 * the signature or the delivery id. In a form this is the payload, the only field that is read: its
 * other fields may be unsigned. A signature that covers an id or a time is recognised by that.
 */
export function checkSender(
  auth: Auth,
  login: Login | null,
  incoming: Pick<Incoming, 'headers' | 'bytes'>,
  now: Date,
): Checked {
  const method = canonicalAuthMethod(auth.auth_method);
  const header = ownHeader(auth);
  if (method === '' || header === null) return { refusal: null, signed: null };
  if (!login) return { refusal: toReason('delivery.key_missing') };
  const timestamped = findTimestampedSignature({ method, header }, incoming);
  if (timestamped && isSignatureValid(timestamped, login.password)) {
    const refusal = staleReason(timestamped, now);
    return refusal ? { refusal } : { refusal: null, signed: digest(timestamped.names) };
  }
  const plain = checkPlain({ method, header }, login, incoming);
  const isMissing = plain.refusal?.code === 'delivery.credentials_missing';
  return timestamped && isMissing
    ? { refusal: toReason('delivery.credentials_wrong', { header: timestamped.header }) }
    : plain;
}

function checkPlain(
  { method, header }: { method: Exclude<AuthMethod, ''>; header: string },
  login: Login,
  incoming: Pick<Incoming, 'headers' | 'bytes'>,
): Checked {
  const given = headerOf(incoming.headers, header);
  const isSigned = signing.includes(method);
  if (given === null || (isSigned && isEmptySignature(given))) {
    return { refusal: toReason('delivery.credentials_missing', { header }) };
  }
  const payload = isSigned ? payloadOf(incoming) : null;
  const texts = payload === null ? [incoming.bytes] : [incoming.bytes, payload];
  const isRight = texts.some((bytes) => checks[method](given, login, { bytes, header }));
  if (!isRight) return { refusal: toReason('delivery.credentials_wrong', { header }) };
  const signed = isSigned ? digest(payload ?? incoming.bytes) : null;
  return { refusal: null, signed };
}

const signing: AuthMethod[] = ['github', 'bitbucket', 'hmac'];

/** Senders without a secret write a header whose signature is empty. */
const isEmptySignature = (given: string): boolean =>
  ['', 'sha1=', 'sha256=', 'sha512='].includes(given.trim().toLowerCase());

type Check = (given: string, login: Login, request: { bytes: Buffer; header: string }) => boolean;

const sha256Of: Check = (given, { password }, { bytes }) =>
  safeEqual(
    given.toLowerCase(),
    `sha256=${createHmac('sha256', password).update(bytes).digest('hex')}`,
  );

const checks: Record<Exclude<AuthMethod, ''>, Check> = {
  github: sha256Of,
  bitbucket: sha256Of,
  gitlab: (given, { password }) => safeEqual(given, password),
  token: (given, { password }, { header }) => {
    const isBearer = header.toLowerCase() === 'authorization';
    return safeEqual(isBearer ? given.replace(/^bearer +/i, '') : given, password);
  },
  basic: (given, { login, password }) => {
    const encoded = /^basic +(\S+)$/i.exec(given)?.[1] ?? '';
    return safeEqual(Buffer.from(encoded, 'base64'), `${login}:${password}`);
  },
  hmac: (given, { password }, { bytes }) => {
    const signature = readSignature(given);
    if (!signature) return false;
    return safeEqual(signature.bytes, createHmac(signature.hash, password).update(bytes).digest());
  },
};

const lengths: Record<string, string> = { 20: 'sha1', 32: 'sha256', 64: 'sha512' };

/**
 * Parses a signature in hex or base64. A prefix `sha256=`, `sha512=` or `sha1=` names the hash;
 * otherwise, and with the prefix `v1=`, its length does. (SHA-1 is still secure as a keyed hash, and some senders have no other.)
 */
function readSignature(given: string): { hash: string; bytes: Buffer } | null {
  const [, named, text = ''] = /^(?:(sha1|sha256|sha512)=|v1=)?(.*)$/is.exec(given.trim()) ?? [];
  const isHex = /^(?:[\da-f]{40}|[\da-f]{64}|[\da-f]{128})$/i.test(text);
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64');
  const hash = named?.toLowerCase() ?? lengths[bytes.length];
  return hash === undefined ? null : { hash, bytes };
}
