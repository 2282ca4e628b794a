// The responses of an endpoint: success, and one for each status of its refusals.

import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { messageParams } from '#shared/api/coded-messages.ts';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { refusalsOf } from '#shared/api/refusals.ts';
import { type ErrorCode, errors } from '#shared/catalogue/errors.ts';
import { fieldErrors } from '#shared/catalogue/field-errors.ts';
import { schemaOf, type Json } from './schema.ts';

export const errorBody = z.object({
  error: z.string().meta({ description: 'An English sentence for people' }),
  code: z.enum(errors.codes),
  params: messageParams,
  fields: z
    .array(
      z.object({
        path: z.string().meta({ description: 'Where in the body, as in `vaults.0.name`' }),
        code: z.enum(fieldErrors.codes),
        message: z.string(),
        params: messageParams.optional(),
      }),
    )
    .optional(),
  request_id: z.string(),
  inUse: z.boolean().optional(),
});

export function responsesOf(endpoint: Endpoint): Json {
  const refusals = [...refusalsOf(endpoint)].map(([status, codes]) => [
    status,
    refusal(status, codes),
  ]);
  return {
    [endpoint.status]: reply(endpoint),
    ...(endpoint.reply instanceof z.ZodNullable && { 204: { description: 'Done' } }),
    ...(Object.fromEntries(refusals) as Json),
  };
}

const refusal = (status: number, codes: ErrorCode[]): Json => ({
  description: STATUS_CODES[status] ?? 'Refused',
  content: {
    'application/json': {
      schema: {
        allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }],
      },
    },
  },
});

function reply(endpoint: Endpoint): Json {
  if (endpoint.status === 204) return { description: 'Done' };
  if (endpoint.status === 302) {
    const schemaOfText = { schema: { type: 'string' } };
    return { description: 'Sent on', headers: { Location: schemaOfText } };
  }
  const isText = endpoint.reply instanceof z.ZodString;
  const isDocument = isText && endpoint.textType === 'application/json';
  const type = isText ? endpoint.textType : 'application/json';
  return {
    description: endpoint.status === 201 ? 'Created' : 'The answer',
    ...headersOf(endpoint),
    content: {
      [type]: { schema: isDocument ? { type: 'object' } : schemaOf(endpoint.reply, 'output') },
    },
  };
}

function headersOf({ versioned, query }: Endpoint): Json {
  const text = { schema: { type: 'string' } };
  if (versioned)
    return { headers: { ETag: { description: 'The revision, for If-Match', ...text } } };
  if (!(query instanceof z.ZodObject) || !('before' in query.shape)) return {};
  return { headers: { Link: { description: 'Where the list goes on: `rel="next"`', ...text } } };
}
