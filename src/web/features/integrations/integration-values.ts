// What the inputs of the integration form hold, and what is sent of it.

import type { AuthMethod, Integration } from '#shared/api/integrations.ts';

/** What a launch is given; an empty text is not sent. */
export type LaunchValues = {
  message: string;
  git_branch: string;
  limit: string;
  tags: string;
  skip_tags: string;
  arguments: string;
  inventory_id: number | null;
  debug: boolean;
  dry_run: boolean;
  diff: boolean;
};

export type IntegrationValues = {
  name: string;
  template_id: number | null;
  auth_method: AuthMethod;
  auth_header: string;
  auth_secret_id: number | null;
  searchable: boolean;
  task_params: LaunchValues;
};

const nothing: LaunchValues = {
  message: '',
  git_branch: '',
  limit: '',
  tags: '',
  skip_tags: '',
  arguments: '',
  inventory_id: null,
  debug: false,
  dry_run: false,
  diff: false,
};

const launchValues = (given: Integration['task_params'] = null): LaunchValues =>
  given === null
    ? nothing
    : {
        ...given,
        git_branch: given.git_branch ?? '',
        limit: given.limit ?? '',
        tags: given.tags ?? '',
        skip_tags: given.skip_tags ?? '',
        arguments: given.arguments ?? '',
      };

export const integrationValues = (integration?: Integration): IntegrationValues => ({
  name: integration?.name ?? '',
  template_id: integration?.template_id ?? null,
  auth_method: integration?.auth_method ?? '',
  auth_header: integration?.auth_header ?? '',
  auth_secret_id: integration?.auth_secret_id ?? null,
  searchable: integration?.searchable ?? false,
  task_params: launchValues(integration?.task_params),
});

/** Whether the sender names the secret in a header that can be chosen. */
export const hasHeader = (method: AuthMethod): boolean => method === 'token' || method === 'hmac';

/** Whether anything is set that a launch is given. */
export const hasLaunchValues = (values: LaunchValues): boolean =>
  Object.values(values).some((value) => value !== '' && value !== null && value !== false);

const orNull = (text: string): string | null => (text.trim() === '' ? null : text);

export const integrationBody = ({ task_params: given, ...values }: IntegrationValues) => ({
  ...values,
  auth_header: hasHeader(values.auth_method) ? values.auth_header : '',
  auth_secret_id: values.auth_method === '' ? null : values.auth_secret_id,
  task_params: hasLaunchValues(given)
    ? {
        ...given,
        arguments: orNull(given.arguments),
        git_branch: orNull(given.git_branch),
        limit: orNull(given.limit),
        tags: orNull(given.tags),
        skip_tags: orNull(given.skip_tags),
      }
    : null,
});
