// The outputs of a task: values by name, which its programs have written or set, and secrets.

import { z } from 'zod';
import { secret } from '../fields.ts';
import { endpoint } from './endpoint.ts';

export const MAX_OUTPUTS = 100;
/** The limit of a value as JSON. */
export const MAX_VALUE_KIB = 16;
/** The limit of all outputs of a task together. */
export const MAX_OUTPUTS_KIB = 64;
/** The limit of nesting in a value. */
export const MAX_OUTPUT_DEPTH = 20;

/** A valid name of a variable for programs. */
export const outputName = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

export type OutputValue =
  | string
  | number
  | boolean
  | null
  | OutputValue[]
  | { [name: string]: OutputValue };

// Request bodies and database columns are parsed as JSON already.
const value: z.ZodType<OutputValue> = z.any();
const name = z.string().regex(outputName);

/** An output in a report of the runner; the value is masked, unless it is a secret. */
export const toldOutput = z.object({
  name,
  /** Null for a secret. */
  value,
  /** A secret as JSON; null: not a secret. */
  secret: secret(z.string().max(MAX_VALUE_KIB * 1024)).nullable(),
});
export type ToldOutput = z.output<typeof toldOutput>;

const taskOutput = z.object({
  name,
  /** Any JSON value with masked secrets; null for a secret, which is write-only. */
  value,
  is_secret: z.boolean(),
});
export type TaskOutput = z.output<typeof taskOutput>;

/** Listed among the endpoints of tasks. */
export const outputEndpoints = {
  outputs: endpoint.get('/api/project/:project_id/tasks/:task_id/outputs', {
    permission: 'member',
    summary: 'What the programs of a task have handed on by name; of secrets only the names',
    reply: z.array(taskOutput),
  }),
};
