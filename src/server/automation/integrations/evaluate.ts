// Evaluates the rules of an integration: whether a request matches, and which values are extracted.
// Pure functions. All text of the request is untrusted: it is compared and copied, never evaluated.

import type { DeliveryRequest } from '#shared/api/deliveries.ts';
import type { ExtractValue, Matcher, Source } from '#shared/api/matchers.ts';
import type { DeliveryCode } from '#shared/catalogue/delivery-reasons.ts';
import type { Params } from '#shared/catalogue/catalogue.ts';
import { parsePath } from '#shared/json-path.ts';
import { numberText } from '../../../node/json/exact-json.ts';
import { headerOf, readBody } from './request.ts';

/** The reason of a result; for a refused launch the code is that of the refusal. */
export interface Reason {
  code: string;
  params: Params;
}

export const toReason = (code: DeliveryCode, params: Params = {}): Reason => ({ code, params });

export interface Verdict {
  matches: boolean;
  reason: Reason;
  /** The extracted values, by the name of their variable. */
  values: Record<string, string>;
  /** The branch, tag or commit that the request chooses; null: that of the integration. */
  git_branch: string | null;
  /** The names of the variables for which the request has no value. */
  missing: string[];
}

interface Rules {
  matchers: Matcher[];
  values: ExtractValue[];
}

type Body = ReturnType<typeof readBody>;

/** All matchers have to match; without matchers every request does. */
export function evaluate({ matchers, values }: Rules, request: DeliveryRequest): Verdict {
  const body = bodyFor([...matchers, ...values], request);
  for (const matcher of matchers) {
    const reason = mismatch(matcher, request, body);
    if (reason) return refused(reason);
  }
  const branch = readBranch(values, request, body);
  if (isReason(branch)) return refused(branch);
  const variables = values.filter(({ variable_type: type }) => type === 'environment');
  const found = variables.map(({ value_source: source, body_data_type: type, key, variable }) => ({
    variable,
    value: lookUp({ source, type, key }, request, body),
  }));
  const given = found.flatMap(({ variable, value }) =>
    value === null ? [] : [[variable, value] as const],
  );
  const known = new Set(given.map(([variable]) => variable));
  const missing = [...new Set(found.map(({ variable }) => variable))].filter(
    (variable) => !known.has(variable),
  );
  const reason =
    missing.length === 0
      ? toReason('delivery.matched')
      : toReason('delivery.values_missing', { names: cut(missing.join(', ')) });
  // Not by assignment: a variable may be named like a property of Object.prototype.
  return { matches: true, reason, values: Object.fromEntries(given), git_branch: branch, missing };
}

const refused = (reason: Reason): Verdict => ({
  matches: false,
  reason,
  values: {},
  git_branch: null,
  missing: [],
});

const isReason = (branch: string | Reason | null): branch is Reason =>
  typeof branch === 'object' && branch !== null;

/**
 * The branch that the request chooses. A request without it is refused, because its task would run
 * something else than the sender means. Git hosts send a commit of zeros when a branch was deleted.
 */
function readBranch(
  values: ExtractValue[],
  request: DeliveryRequest,
  body: Body,
): string | Reason | null {
  let branch: string | null = null;
  for (const { variable_type, value_source: source, body_data_type: type, key } of values) {
    if (variable_type !== 'task') continue;
    branch = lookUp({ source, type, key }, request, body)?.trim() ?? '';
    const shown = { key: type === 'string' ? 'body' : key };
    if (branch === '') return toReason('delivery.branch_missing', shown);
    if (/^0{40,64}$/.test(branch)) return toReason('delivery.branch_deleted', shown);
  }
  return branch;
}

/** Why each matcher does not match; null for one that matches. */
export function evaluateEach(matchers: Matcher[], request: DeliveryRequest): (Reason | null)[] {
  const body = bodyFor(matchers, request);
  return matchers.map((matcher) => mismatch(matcher, request, body));
}

/** The body as JSON, if any rule reads it. */
const bodyFor = (rules: Pick<Matcher, 'body_data_type'>[], request: DeliveryRequest): Body =>
  rules.some((rule) => rule.body_data_type === 'json') ? readBody(request) : null;

/** Null: the matcher matches. A missing value equals nothing and contains nothing. */
function mismatch(matcher: Matcher, request: DeliveryRequest, body: Body): Reason | null {
  const { name, method, value, match_type: source, body_data_type: type } = matcher;
  const seen = lookUp({ source, type, key: matcher.key }, request, body);
  const key = type === 'string' ? 'body' : matcher.key;
  if (seen === null) {
    if (method === 'unequals') return null;
    const isNotJson = source === 'body' && body === null;
    const code = isNotJson ? 'delivery.not_json' : 'delivery.nothing_there';
    return toReason(code, { matcher: name, key });
  }
  const shown = { matcher: name, key, seen: cut(seen), value: cut(value) };
  switch (method) {
    case 'equals':
      return seen === value ? null : toReason('delivery.not_equal', shown);
    case 'unequals':
      return seen !== value ? null : toReason('delivery.equal', shown);
    case 'contains':
      return seen.includes(value) ? null : toReason('delivery.not_contained', shown);
  }
}

// The longest part of a request that a reason shows, in characters.
const shownLength = 200;

const cut = (text: string): string =>
  text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;

interface ValueLocation {
  source: Source;
  type: Matcher['body_data_type'];
  key: string;
}

function lookUp(
  { source, type, key }: ValueLocation,
  request: DeliveryRequest,
  body: Body,
): string | null {
  if (source === 'header') return headerOf(request.headers, key);
  if (type === 'string') return request.body;
  const path = parsePath(key);
  return body && path ? textOf(at(body.value, path)) : null;
}

/** The value at a path. Only own properties are read, so that no name reaches Object.prototype. */
function at(value: unknown, path: string[]): unknown {
  let place = value;
  for (const name of path) {
    const isInner = typeof place === 'object' && place !== null && numberText(place) === null;
    if (!isInner || !Object.hasOwn(place as object, name)) return undefined;
    // The length of a list is an own property, but not an entry.
    if (Array.isArray(place) && !/^\d+$/.test(name)) return undefined;
    place = (place as Record<string, unknown>)[name];
  }
  return place;
}

/** A value as text: numbers with all of their digits, nested values as JSON. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  return numberText(value) ?? JSON.stringify(value);
}
