// The values of the forms of extracted values and matchers. The schema refuses an empty choice.

import type { CallOf } from '#shared/api/endpoint.ts';
import {
  type ExtractValue,
  type extractValues,
  type Matcher,
  type matchers,
} from '#shared/api/matchers.ts';
import type { IntegrationRef } from './integrations.queries.ts';

export const valueValues = (value?: ExtractValue) => ({
  name: value?.name ?? '',
  value_source: value?.value_source ?? ('' as const),
  body_data_type: value?.body_data_type ?? '',
  key: value?.key ?? '',
  variable_type: value?.variable_type ?? 'environment',
  variable: value?.variable ?? '',
});
export type ValueValues = ReturnType<typeof valueValues>;

export const matcherValues = (matcher?: Matcher) => ({
  name: matcher?.name ?? '',
  match_type: matcher?.match_type ?? ('' as const),
  body_data_type: matcher?.body_data_type ?? '',
  key: matcher?.key ?? '',
  method: matcher?.method ?? ('' as const),
  value: matcher?.value ?? '',
});
export type MatcherValues = ReturnType<typeof matcherValues>;

// The schema refuses missing choices before this is sent.
export const valueBody = (values: ValueValues, { integrationId }: IntegrationRef) =>
  ({ ...values, integration_id: integrationId }) as CallOf<typeof extractValues.create>['body'];
export const matcherBody = (values: MatcherValues, { integrationId }: IntegrationRef) =>
  ({ ...values, integration_id: integrationId }) as CallOf<typeof matchers.create>['body'];
