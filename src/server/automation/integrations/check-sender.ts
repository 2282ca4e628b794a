// Checks whether the sender of a request knows the secret of an integration. Pure functions. Secrets are
// compared by their hashes, so neither time nor length shows how much of a guess was right.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { AuthMethod, Integration } from '#shared/api/integrations.ts';
import { because, type Reason } from './evaluate.ts';
import { headerOf, payloadOf, type Incoming } from './request.ts';

export interface Login {
  login: string;
  password: string;
}

type Bytes = string | Buffer;
const hashed = (value: Bytes): Buffer => createHash('sha256').update(value).digest();
const same = (given: Bytes, wanted: Bytes): boolean =>
  timingSafeEqual(hashed(given), hashed(wanted));

const usual: Record<Exclude<AuthMethod, ''>, string> = {
  github: 'X-Hub-Signature-256',
  gitlab: 'X-Gitlab-Token',
  bitbucket: 'X-Hub-Signature',
  hmac: 'X-Hub-Signature-256',
  token: 'Authorization',
  basic: 'Authorization',
};

type Auth = Pick<Integration, 'auth_method' | 'auth_header'>;

/** The header with the credentials; null when the integration needs none. */
export function credentialHeader({ auth_method: method, auth_header: name }: Auth): string | null {
  if (method === '') return null;
  const mayBeNamed = method === 'token' || method === 'hmac';
  return (mayBeNamed && name) || usual[method];
}

/** Why a sender is refused; null when it is accepted. Without a secret to compare with, every sender is refused. */
export function checkSender(
  integration: Auth,
  login: Login | null,
  incoming: Pick<Incoming, 'headers' | 'bytes'>,
): Reason | null {
  const { auth_method: method } = integration;
  const header = credentialHeader(integration);
  if (method === '' || header === null) return null;
  if (!login) return because('delivery.key_missing');
  const given = headerOf(incoming.headers, header);
  if (given === null || (signing.includes(method) && isEmptySignature(given))) {
    return because('delivery.credentials_missing', { header });
  }
  const isRight = signedTexts(method, incoming).some((bytes) =>
    checks[method](given, login, { bytes, header }),
  );
  return isRight ? null : because('delivery.credentials_wrong', { header });
}

const signing: AuthMethod[] = ['github', 'bitbucket', 'hmac'];

/** Senders without a secret write a header whose signature is empty. */
const isEmptySignature = (given: string): boolean =>
  ['', 'sha1=', 'sha256=', 'sha512='].includes(given.trim().toLowerCase());

/** What the sender may have signed: the body, or the JSON in the form that the body is. */
function signedTexts(
  method: AuthMethod,
  { headers, bytes }: Pick<Incoming, 'headers' | 'bytes'>,
): Buffer[] {
  const payload = signing.includes(method) ? payloadOf({ headers, bytes }) : null;
  return payload === null ? [bytes] : [bytes, payload];
}

/**
 * The hash of the signed content; null when the sender does not sign. A signature stays valid as long
 * as the secret, can be written in several forms, and does not cover the rest of the request. So a
 * repeated request is recognised by the signed content, not by the signature or the delivery id. In a
 * form this is the payload, the only field that is read: its other fields may be unsigned.
 */
export const signedHash = (
  { auth_method: method }: Pick<Auth, 'auth_method'>,
  { headers, bytes }: Pick<Incoming, 'headers' | 'bytes'>,
): string | null =>
  signing.includes(method) ? hashed(payloadOf({ headers, bytes }) ?? bytes).toString('hex') : null;

type Check = (given: string, login: Login, request: { bytes: Buffer; header: string }) => boolean;

const sha256Of: Check = (given, { password }, { bytes }) =>
  same(given.toLowerCase(), `sha256=${createHmac('sha256', password).update(bytes).digest('hex')}`);

const checks: Record<Exclude<AuthMethod, ''>, Check> = {
  github: sha256Of,
  bitbucket: sha256Of,
  gitlab: (given, { password }) => same(given, password),
  token: (given, { password }, { header }) => {
    const isBearer = header.toLowerCase() === 'authorization';
    return same(isBearer ? given.replace(/^bearer +/i, '') : given, password);
  },
  basic: (given, { login, password }) => {
    const encoded = /^basic +(\S+)$/i.exec(given)?.[1] ?? '';
    return same(Buffer.from(encoded, 'base64'), `${login}:${password}`);
  },
  hmac: (given, { password }, { bytes }) => {
    const signature = readSignature(given);
    if (!signature) return false;
    return same(signature.bytes, createHmac(signature.hash, password).update(bytes).digest());
  },
};

const lengths: Record<string, string> = { 32: 'sha256', 64: 'sha512' };

/**
 * Parses a signature in hex or base64. A prefix `sha256=`, `sha512=` or `sha1=` names the hash;
 * otherwise its length does. (SHA-1 is still secure as a keyed hash, and some senders have no other.)
 */
function readSignature(given: string): { hash: string; bytes: Buffer } | null {
  const [, named, text = ''] = /^(?:(sha1|sha256|sha512)=)?(.*)$/is.exec(given.trim()) ?? [];
  const isHex = /^(?:[\da-f]{40}|[\da-f]{64}|[\da-f]{128})$/i.test(text);
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64');
  const hash = named?.toLowerCase() ?? lengths[bytes.length];
  return hash === undefined ? null : { hash, bytes };
}
