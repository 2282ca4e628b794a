// The rules of an integration: matchers select the requests that launch its template, and values extract variables.

import { z } from 'zod';
import { crossCheck, type Refuse } from '../cross-check.ts';
import { isCredentialHeader } from '../webhooks/credential-headers.ts';
import type { FieldCode } from '../catalogue/field-errors.ts';
import { parsePath } from '../json-path.ts';
import { endpoint, type Schema } from './endpoint.ts';
import { id, line, optional } from '../fields.ts';

export const sources = ['body', 'header'] as const;
export type Source = (typeof sources)[number];
export const bodyTypes = ['json', 'string'] as const;
export const variableTypes = ['environment', 'task'] as const;
export const matchMethods = ['equals', 'unequals', 'contains'] as const;

const choice = <const Values extends readonly string[]>(values: Values, required: FieldCode) =>
  z.enum(values, {
    error: ({ input }) => (input == null || input === '' ? required : undefined),
  });

const bodyType = z
  .enum(['', ...bodyTypes])
  .nullish()
  .transform((type) => type ?? '');

interface ValueLocation {
  source: Source;
  type: '' | (typeof bodyTypes)[number];
  key: string;
}

/** Refuses the name of a header with credentials, or an invalid path in JSON. */
function checkKey({ source, type, key }: ValueLocation, refuse: Refuse): void {
  if (source === 'header') {
    if (isCredentialHeader(key)) refuse('key', 'integration.credential_header');
  } else if (type === 'json' && parsePath(key) === null) refuse('key', 'integration.key_path');
}

const stored = { id, integration_id: id, name: z.string() };
const storedBodyType = z.enum(['', ...bodyTypes]);

/** The only launch option that a value may set: a branch, a tag or a commit. */
export const branchOption = 'git_branch';

/** Extracts a value from a request and passes it to the task. */
export const extractValue = z.object({
  ...stored,
  value_source: z.enum(sources),
  body_data_type: storedBodyType,
  /** The name of a header, or a path in JSON. */
  key: z.string(),
  /** `environment`: `variable` is a variable of the run; `task`: a launch option. */
  variable_type: z.enum(variableTypes),
  variable: z.string(),
});
export type ExtractValue = z.output<typeof extractValue>;

/** Bodies may repeat the integration of the path. */
const repeated = { integration_id: optional(id) };

const valueFields = z.object({
  ...repeated,
  name: line(255, 'name.required'),
  value_source: choice(sources, 'integration.value_source_required'),
  body_data_type: bodyType,
  key: line(255, 'integration.key_required'),
  /** Initially `environment`. Absent: unchanged. */
  variable_type: optional(z.enum(variableTypes)),
  variable: line(255, 'integration.variable_required').refine(
    (name) => /^$|^[A-Za-z_]\w*$/.test(name),
    { error: 'environment.variable_name' },
  ),
});

export const newExtractValue = crossCheck(valueFields, (check) => {
  check(
    ['value_source', 'body_data_type'],
    ({ value_source: source, body_data_type: type }, refuse) => {
      if (source === 'body' && type === '')
        refuse('body_data_type', 'integration.body_type_required');
    },
  );
  check(['value_source', 'body_data_type', 'key'], (given, refuse) => {
    const { value_source: source, body_data_type: type, key } = given;
    checkKey({ source, type, key }, refuse);
  });
  // Requests may set only one launch option.
  check(['variable_type', 'variable'], ({ variable_type: type, variable }, refuse) => {
    if (type === 'task' && variable !== branchOption) {
      refuse('variable', 'integration.launch_option');
    }
  });
}).transform(({ integration_id: _repeated, ...value }) => ({
  ...value,
  body_data_type: value.value_source === 'body' ? value.body_data_type : '',
}));

/** Compares a value in a request. All matchers must match. */
export const matcher = z.object({
  ...stored,
  match_type: z.enum(sources),
  body_data_type: storedBodyType,
  key: z.string(),
  method: z.enum(matchMethods),
  value: z.string(),
});
export type Matcher = z.output<typeof matcher>;

const matcherFields = z.object({
  ...repeated,
  name: line(255, 'name.required'),
  match_type: choice(sources, 'integration.match_source_required'),
  body_data_type: bodyType,
  key: line(510, 'integration.key_required'),
  method: choice(matchMethods, 'integration.method_required'),
  value: line(510, 'integration.value_required'),
});

export const newMatcher = crossCheck(matcherFields, (check) => {
  check(
    ['match_type', 'body_data_type'],
    ({ match_type: source, body_data_type: type }, refuse) => {
      if (source === 'body' && type === '')
        refuse('body_data_type', 'integration.body_format_required');
    },
  );
  check(['match_type', 'body_data_type', 'key'], (given, refuse) => {
    const { match_type: source, body_data_type: type, key } = given;
    checkKey({ source, type, key }, refuse);
  });
}).transform(({ integration_id: _repeated, ...value }) => ({
  ...value,
  body_data_type: value.match_type === 'body' ? value.body_data_type : '',
}));

const usedBy = z.object({ integrations: z.array(z.object({ id, name: z.string() })) });

interface Rules<Path, Stored, New> {
  path: Path;
  stored: Stored;
  given: New;
  /** Singular and plural for the summaries. */
  words: [one: string, many: string];
  /** The status of a creation, which clients of other versions check. */
  created: 200 | 201;
}

function rules<
  const List extends string,
  const One extends string,
  Stored extends Schema,
  New extends Schema,
>({
  list,
  path,
  stored: reply,
  given,
  words: [one, many],
  created,
}: Rules<One, Stored, New> & { list: List }) {
  return {
    list: endpoint.get(list, {
      permission: 'member',
      summary: `The ${many} of an integration`,
      reply: z.array(reply),
    }),
    create: endpoint.post(list, {
      permission: 'integration.edit',
      summary: `Add ${one} to an integration`,
      body: given,
      reply,
      status: created,
    }),
    one: endpoint.get(path, {
      permission: 'member',
      summary: `One of the ${many} of an integration`,
      reply,
    }),
    update: endpoint.put(path, {
      permission: 'integration.edit',
      summary: `Change ${one}`,
      body: given,
    }),
    refs: endpoint.get(`${path}/refs`, {
      permission: 'member',
      summary: `The integration that has ${one}`,
      reply: usedBy,
    }),
    remove: endpoint.delete(path, {
      permission: 'integration.edit',
      summary: `Delete ${one}`,
    }),
  };
}

const path = '/api/project/:project_id/integrations/:integration_id';

export const extractValues = rules({
  list: `${path}/values`,
  path: `${path}/values/:value_id`,
  stored: extractValue,
  given: newExtractValue,
  words: ['an extracted value', 'extracted values'],
  created: 201,
});

export const matchers = rules({
  list: `${path}/matchers`,
  path: `${path}/matchers/:matcher_id`,
  stored: matcher,
  given: newMatcher,
  words: ['a matcher', 'matchers'],
  created: 200,
});
