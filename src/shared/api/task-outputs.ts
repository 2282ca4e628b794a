// What a task hands on: values by name, which its programs have written or set, and secrets.

import { z } from 'zod';
import { idOf, secret } from '../fields.ts';
import { endpoint } from './endpoint.ts';
import { inProject } from './projects.ts';

/** The most outputs of a task. */
export const MAX_OUTPUTS = 100;
/** The largest value, as JSON. */
export const MAX_VALUE_KIB = 16;
/** All outputs of a task: names and values, and the file that has them. */
export const MAX_OUTPUTS_KIB = 64;
/** How deep a value may be nested. */
export const MAX_OUTPUT_DEPTH = 20;

/** A name that programs can use for a variable. */
export const outputName = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

export type OutputValue =
  | string
  | number
  | boolean
  | null
  | OutputValue[]
  | { [name: string]: OutputValue };

// The body of a request and a column of the database are JSON already.
const value: z.ZodType<OutputValue> = z.any();
const name = z.string().regex(outputName);

/** An output as the runner tells it: the value is masked, unless it is a secret. */
export const toldOutput = z.object({
  name,
  /** Null for a secret. */
  value,
  /** JSON of a secret; null: the output is none. */
  secret: secret(z.string().max(MAX_VALUE_KIB * 1024)).nullable(),
});
export type ToldOutput = z.output<typeof toldOutput>;

const taskOutput = z.object({
  name,
  /** Any JSON value, in which known secrets are hidden; null for a secret, which is never answered. */
  value,
  is_secret: z.boolean(),
});
export type TaskOutput = z.output<typeof taskOutput>;

/** The endpoint of outputs, which is listed among those of tasks. */
export const outputEndpoints = {
  outputs: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/:task_id/outputs',
    permission: 'member',
    summary: 'What the programs of a task have handed on by name; of secrets only the names',
    params: inProject.extend({ task_id: idOf('task.not_found') }),
    reply: z.array(taskOutput),
  }),
};
