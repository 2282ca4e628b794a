// The codes with which an endpoint refuses requests: those that follow from its definition, and its `refuses`.

import type { z } from 'zod';
import { type ErrorCode, errors, statusOf } from '../catalogue/errors.ts';
import { isOfRunner } from '../permissions.ts';
import { isRight } from '../rights.ts';
import { hasFields, takesBody, type Endpoint } from './endpoint.ts';

/** Errors of the server itself, for any request. */
const ofServer: ErrorCode[] = [
  'request.internal',
  'request.unavailable',
  'request.headers_too_large',
  'system.database_unavailable',
  'system.disk_full',
  'system.database_full',
];

const ofBytes: ErrorCode[] = [
  'request.too_large',
  'request.unsupported_media_type',
  'request.incomplete',
];

const ofBody: ErrorCode[] = [
  'request.malformed_json',
  'request.too_deep',
  'request.too_many_values',
  ...ofBytes,
];

/** Refusals of endpoints that launch tasks, because of the template or what it runs. */
export const launchRefusals = [
  'grant.beyond',
  'template.app_inactive',
  'template.app_unavailable',
  'task.field_not_allowed',
  'task.field_not_supported',
  'task.argument_own',
  'task.argument_init',
  // Deleted after the template was read.
  'repository.not_found',
  'inventory.not_found',
  'environment.not_found',
  // Deleted with its project right after the launch.
  'task.not_found',
] as const satisfies ErrorCode[];

/** By status, in ascending order. */
export function refusalsOf(endpoint: Endpoint): Map<number, ErrorCode[]> {
  const codes = new Set([
    ...ofSender(endpoint),
    ...ofParams(endpoint),
    ...ofContent(endpoint),
    ...endpoint.refuses,
    ...ofServer,
  ]);
  const byStatus = Map.groupBy(codes, statusOf);
  return new Map([...byStatus].toSorted(([a], [b]) => a - b));
}

/** Credentials or permissions are missing, or the origin is not allowed. */
function ofSender(endpoint: Endpoint): ErrorCode[] {
  const { method, permission, anyHost, webhook, rateLimit } = endpoint;
  const codes: ErrorCode[] = [...ofCredentials(endpoint)];
  if (!anyHost) codes.push('request.unknown_host');
  if (method !== 'GET' && !webhook) codes.push('request.cross_site');
  if (rateLimit) codes.push('request.rate_limited');
  if (isOfRunner(permission)) codes.push('runner.credential');
  return codes;
}

function ofCredentials({ permission, token, projectTokens, duringSetup }: Endpoint): ErrorCode[] {
  if (permission === 'public' || isOfRunner(permission)) return [];
  const codes: ErrorCode[] = ['session.required', 'session.verification_required'];
  if (!duringSetup) codes.push('session.second_factor_setup');
  if (token === 'none') codes.push('permission.session_needed');
  else if (token !== 'read') codes.push('permission.token_scope');
  if (!projectTokens && token !== 'none') codes.push('permission.token_project');
  if (permission === 'admin') codes.push('permission.admin_required');
  if (permission === 'create_project') codes.push('permission.create_project');
  if (isRight(permission)) codes.push('permission.denied');
  return codes;
}

/** The path is invalid, or a resource in it does not exist. */
function ofParams({ path, params }: Endpoint): ErrorCode[] {
  if (!path.includes(':')) return [];
  const { shape = {} } = params as { shape?: Record<string, z.ZodType> };
  const missing = Object.values(shape).map((schema) => schema.meta()?.['missing']);
  return ['request.malformed_url', 'request.invalid', ...missing.filter(isCode)];
}

const isCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && errors.has(value);

function ofContent(endpoint: Endpoint): ErrorCode[] {
  const { method, query, versioned, optionalBody, webhook } = endpoint;
  const codes: ErrorCode[] = [];
  if (hasFields(query)) codes.push('request.invalid');
  if (method === 'GET') return codes;
  // A body is parsed even if the endpoint needs none.
  codes.push('request.invalid', ...(webhook ? ofBytes : ofBody));
  if (takesBody(endpoint) && !optionalBody) codes.push('request.body_missing');
  if (versioned) codes.push('request.stale');
  return codes;
}
