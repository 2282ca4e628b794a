// The launch options of a schedule or an integration, as values of inputs.

/** Empty strings are not sent. */
export type LaunchValues = {
  message: string;
  environment: string;
  git_branch: string;
  limit: string;
  tags: string;
  skip_tags: string;
  arguments: string;
  inventory_id: number | null;
  execution_environment_id: number | null;
  debug: boolean;
  debug_level: number | string;
  dry_run: boolean;
  diff: boolean;
  auto_approve: boolean;
};

type NullableLaunchValues = Omit<
  LaunchValues,
  'git_branch' | 'limit' | 'tags' | 'skip_tags' | 'arguments'
> & {
  git_branch: string | null;
  limit: string | null;
  tags: string | null;
  skip_tags: string | null;
  arguments: string | null;
  debug_level: number;
};

const nothing: LaunchValues = {
  message: '',
  environment: '',
  git_branch: '',
  limit: '',
  tags: '',
  skip_tags: '',
  arguments: '',
  inventory_id: null,
  execution_environment_id: null,
  debug: false,
  debug_level: 0,
  dry_run: false,
  diff: false,
  auto_approve: false,
};

export const launchValues = (given: NullableLaunchValues | null = null): LaunchValues =>
  given === null
    ? nothing
    : {
        message: given.message,
        environment: given.environment === '{}' ? '' : given.environment,
        git_branch: given.git_branch ?? '',
        limit: given.limit ?? '',
        tags: given.tags ?? '',
        skip_tags: given.skip_tags ?? '',
        arguments: given.arguments ?? '',
        inventory_id: given.inventory_id,
        execution_environment_id: given.execution_environment_id,
        debug: given.debug,
        debug_level: given.debug_level,
        dry_run: given.dry_run,
        diff: given.diff,
        auto_approve: given.auto_approve,
      };

export const hasLaunchValues = (values: LaunchValues): boolean =>
  Object.values(values).some(Boolean);

const orNull = (text: string): string | null => (text.trim() === '' ? null : text);

export const launchBody = (values: LaunchValues): NullableLaunchValues | null =>
  hasLaunchValues(values)
    ? {
        ...values,
        arguments: orNull(values.arguments),
        git_branch: orNull(values.git_branch),
        limit: orNull(values.limit),
        tags: orNull(values.tags),
        skip_tags: orNull(values.skip_tags),
        debug_level: Number(values.debug_level),
      }
    : null;
