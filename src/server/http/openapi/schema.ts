import { z } from 'zod';

export type Json = Record<string, unknown>;

export function schemaOf(type: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _draft, ...rest } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // Documented by the responses.
      delete jsonSchema['missing'];
      if (!jsonSchema['secret']) return;
      delete jsonSchema['secret'];
      if (io === 'input') jsonSchema.writeOnly = true;
    },
  });
  return rest;
}
