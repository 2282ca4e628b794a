// Every resource with GET and PUT also has a PATCH, which merges into the stored one and is derived from both.

import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

export interface Merge {
  patch: Endpoint;
  put: Endpoint;
  /** The GET at the same path. */
  reader: Endpoint;
}

/** Any fields: they are validated after the merge. */
const someFields = z.record(z.string(), z.unknown());

const patchOf = (put: Endpoint): Endpoint => ({
  ...put,
  method: 'PATCH',
  summary: `${put.summary}. Fields that are missing keep their values (JSON merge patch, RFC 7396)`,
  body: someFields,
  forms: null,
});

/** The PATCH for each PUT with a GET at the same path. */
export function mergesOf(endpoints: Endpoint[]): Map<Endpoint, Merge> {
  const readers = new Map(
    endpoints.filter(({ method }) => method === 'GET').map((one) => [one.path, one]),
  );
  const puts = endpoints.filter(({ method }) => method === 'PUT');
  return new Map(
    puts.flatMap((put) => {
      const reader = readers.get(put.path);
      return reader ? [[put, { patch: patchOf(put), put, reader }] as const] : [];
    }),
  );
}

/** The allowed fields of a PATCH: all that can be changed, and those that are read-only or in the path. */
export const fieldsOfPatch = ({ put, reader }: Pick<Merge, 'put' | 'reader'>): string[] => [
  ...fieldsOf(put.body),
  ...(put.forms ? fieldsOf(put.forms.fields) : []),
  ...fieldsOf(reader.reply),
  ...fieldsOf(put.params),
  'id',
];

/** The fields of an object schema, also behind transforms. */
export function fieldsOf(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodPipe) return [...fieldsOf(schema.in), ...fieldsOf(schema.out)];
  return schema instanceof z.ZodUnion ? schema.options.flatMap((one) => fieldsOf(one)) : [];
}
