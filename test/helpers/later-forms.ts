// Bodies in other forms of the API, exactly as clients of later versions send them.

import type { ErrorBody } from '#shared/errors.ts';
import type { TestApp } from './app.ts';

export type Json = Record<string, unknown>;

/** What a template allows to be set at launch. */
export const open = {
  allow_override_limit_in_task: true,
  allow_override_tags_in_task: true,
  allow_override_skip_tags_in_task: true,
  allow_override_branch_in_task: true,
  allow_override_args_in_task: true,
  allow_override_inventory_in_task: true,
};

export async function send(
  app: TestApp,
  method: 'POST' | 'PUT' | 'GET',
  url: string,
  body?: object,
) {
  const answer = await app.admin.raw({
    method,
    url,
    headers: { 'content-type': 'application/json' },
    ...(body && { payload: JSON.stringify(body) }),
  });
  const json = (answer.body ? JSON.parse(answer.body) : {}) as Json & Partial<ErrorBody>;
  return {
    status: answer.statusCode,
    json,
    fields: json.fields?.map(({ path, code }) => [path, code]),
  };
}
