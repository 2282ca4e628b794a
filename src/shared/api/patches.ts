// Every resource that GET reads and PUT replaces also has a PATCH, which merges into what is
// stored. PATCH is derived from the two, so that no resource can lack it.

import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

export interface Merge {
  patch: Endpoint;
  put: Endpoint;
  /** The GET at the same path. */
  reader: Endpoint;
}

/** Any fields: the server checks them after it has merged them into the stored ones. */
const someFields = z.record(z.string(), z.unknown());

const patchOf = (put: Endpoint): Endpoint => ({
  ...put,
  method: 'PATCH',
  summary: `${put.summary}. Fields that are missing keep their values (JSON merge patch, RFC 7396)`,
  body: someFields,
  forms: null,
});

/** For each PUT with a GET at the same path, how a PATCH changes the same resource. */
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

/** The fields that a PATCH may have: all that can be changed, and those that are only shown or in the path. */
export const fieldsOfPatch = ({ put, reader }: Pick<Merge, 'put' | 'reader'>): string[] => [
  ...fieldsOf(put.body),
  ...(put.forms ? fieldsOf(put.forms.fields) : []),
  ...fieldsOf(reader.reply),
  ...fieldsOf(put.params),
  'id',
];

/** The names of the fields of an object, whatever is done to it afterwards. */
export function fieldsOf(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodPipe) return [...fieldsOf(schema.in), ...fieldsOf(schema.out)];
  return schema instanceof z.ZodUnion ? schema.options.flatMap((one) => fieldsOf(one)) : [];
}
