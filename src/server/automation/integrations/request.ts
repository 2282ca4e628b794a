// A request to an integration: as received, as stored, and as matchers read it. Pure functions.

import type { DeliveryRequest } from '#shared/api/deliveries.ts';
import { isCredentialHeader } from '#shared/webhooks/credential-headers.ts';
import { exceeds } from '#shared/json-depth.ts';
import { readExactly } from '../../../node/json/exact-json.ts';

/** A received request, with the names of its headers in lower case. */
export interface Incoming {
  method: string;
  ip: string;
  headers: Record<string, string>;
  bytes: Buffer;
}

/** The part of a request that is stored and evaluated: everything but headers with credentials. */
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

// Headers with the sender's id of a delivery, which a retry repeats. The order matters: the second
// header of GitLab is the same for all deliveries that one event causes.
const senderIds = [
  'webhook-id',
  'idempotency-key',
  'x-github-delivery',
  'x-gitlab-event-uuid',
  'x-request-uuid',
];

/** The sender's id of the delivery; null when it sends none. */
export function senderIdOf({ headers }: DeliveryRequest): string | null {
  const name = senderIds.find((one) => headerOf(headers, one));
  return name === undefined ? null : headerOf(headers, name);
}

/** The name is not case-sensitive. */
export function headerOf(headers: Record<string, string>, name: string): string | null {
  const wanted = name.toLowerCase();
  const found = Object.entries(headers).find(([one]) => one.toLowerCase() === wanted);
  return found ? found[1] : null;
}

type ParsedBody = { value: unknown } | null;

/** Caches the parsed body, because all integrations of an address read the same request. */
const parsed = new WeakMap<DeliveryRequest, ParsedBody>();

/** The parsed body; null when it is neither a form nor JSON of a usual depth and size. */
export function readBody(request: DeliveryRequest): ParsedBody {
  const known = parsed.get(request);
  if (known !== undefined) return known;
  const body = parseBody(request);
  parsed.set(request, body);
  return body;
}

function parseBody({ headers, body }: DeliveryRequest): ParsedBody {
  if (!isForm(headers)) return readJson(body);
  const form = new URLSearchParams(body);
  const payload = form.get(payloadField);
  return payload === null ? { value: Object.fromEntries(form) } : readJson(payload);
}

// GitHub and Gitea can send their JSON in a field of a form.
const payloadField = 'payload';

/** The JSON in a field of a form; null: the body is no form, or has no such field. */
export function payloadOf({ headers, bytes }: Pick<Incoming, 'headers' | 'bytes'>): Buffer | null {
  if (!isForm(headers)) return null;
  const payload = new URLSearchParams(bytes.toString('utf8')).get(payloadField);
  return payload === null ? null : Buffer.from(payload);
}

const isForm = (headers: Record<string, string>): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(headerOf(headers, 'content-type') ?? '');

function readJson(text: string): { value: unknown } | null {
  if (exceeds({ depth: deepest, values: MAX_VALUES, fields: MAX_VALUES }, text) !== null)
    return null;
  try {
    return { value: readExactly(text) };
  } catch {
    return null;
  }
}

// Parsing and printing recurse as deep as the JSON is nested, and must not overflow the stack.
const deepest = 200;

// Each value takes time to parse. A push of two thousand commits has fifty thousand.
const MAX_VALUES = 100_000;
