// A request to an integration: as it came in, as it is kept, and as matchers see it. Pure.

import type { DeliveryRequest } from '#shared/api/deliveries.ts';
import { isCredentialHeader } from '#shared/credential-headers.ts';
import { isDeeperThan } from '#shared/json-depth.ts';
import { readExactly } from '../../runner/system/exact-json.ts';

/** A request as it came in, with the names of its headers in lower case. */
export interface Incoming {
  method: string;
  ip: string;
  headers: Record<string, string>;
  bytes: Buffer;
}

/** What of it is kept, and evaluated: all but the headers that carry credentials. */
export function withoutCredentials(
  { headers, bytes }: Incoming,
  credentials: string[],
): DeliveryRequest {
  const hidden = new Set(credentials.map((name) => name.toLowerCase()));
  const shown = Object.entries(headers).filter(
    ([name]) => !hidden.has(name) && !isCredentialHeader(name),
  );
  return { headers: Object.fromEntries(shown), body: bytes.toString('utf8') };
}

// Senders say by one of these which of their deliveries this is; a retry says the same. In this
// order, since GitLab's second one is the same for all deliveries that follow from another.
const senderIds = ['idempotency-key', 'x-github-delivery', 'x-gitlab-event-uuid', 'x-request-uuid'];

/** What the sender calls the delivery; null: it does not say. */
export function senderIdOf({ headers }: DeliveryRequest): string | null {
  const name = senderIds.find((one) => headerOf(headers, one));
  return name === undefined ? null : headerOf(headers, name);
}

/** A header, whatever the case of its name. */
export function headerOf(headers: Record<string, string>, name: string): string | null {
  const wanted = name.toLowerCase();
  const found = Object.entries(headers).find(([one]) => one.toLowerCase() === wanted);
  return found ? found[1] : null;
}

/** What the body says; null: it is not JSON, and no form either. */
export function readBody({ headers, body }: DeliveryRequest): { value: unknown } | null {
  const type = headerOf(headers, 'content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return readJson(body);
  const form = new URLSearchParams(body);
  // GitHub sends its JSON as one field of a form.
  const payload = form.get('payload');
  return payload === null ? { value: Object.fromEntries(form) } : readJson(payload);
}

function readJson(text: string): { value: unknown } | null {
  if (isDeeperThan(deepest, text)) return null;
  try {
    return { value: readExactly(text) };
  } catch {
    return null;
  }
}

// Reading and printing go as deep as the text does, and must not come to the end of the stack.
const deepest = 200;
