// The values of the forms of extracted values and matchers. An empty choice has not been made yet;
// the schema refuses it.

import type { CallOf } from '#shared/api/endpoint.ts';
import {
  type ExtractValue,
  type extractValues,
  type Matcher,
  type matchers,
  type Source,
} from '#shared/api/matchers.ts';
import type { IntegrationRef } from './integrations.queries.ts';

type BodyType = Matcher['body_data_type'];

export type ValueValues = {
  name: string;
  value_source: Source | '';
  body_data_type: BodyType;
  key: string;
  variable_type: ExtractValue['variable_type'];
  variable: string;
};

export type MatcherValues = {
  name: string;
  match_type: Source | '';
  body_data_type: BodyType;
  key: string;
  method: Matcher['method'] | '';
  value: string;
};

export const valueValues = (value?: ExtractValue): ValueValues => ({
  name: value?.name ?? '',
  value_source: value?.value_source ?? '',
  body_data_type: value?.body_data_type ?? '',
  key: value?.key ?? '',
  variable_type: value?.variable_type ?? 'environment',
  variable: value?.variable ?? '',
});

export const matcherValues = (matcher?: Matcher): MatcherValues => ({
  name: matcher?.name ?? '',
  match_type: matcher?.match_type ?? '',
  body_data_type: matcher?.body_data_type ?? '',
  key: matcher?.key ?? '',
  method: matcher?.method ?? '',
  value: matcher?.value ?? '',
});

// The schema has refused missing choices before these are sent.
export const valueBody = (values: ValueValues, { integrationId }: IntegrationRef) =>
  ({ ...values, integration_id: integrationId }) as CallOf<typeof extractValues.create>['body'];
export const matcherBody = (values: MatcherValues, { integrationId }: IntegrationRef) =>
  ({ ...values, integration_id: integrationId }) as CallOf<typeof matchers.create>['body'];
