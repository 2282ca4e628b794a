// The values of the project form, and the body made from them.

import type { Project } from '#shared/api/projects.ts';

export const projectValues = ({
  name = '',
  alert = false,
  alert_chat: chat,
  max_parallel_tasks: max,
  runner_tags = [],
  keep_home = false,
  host_facts = [],
  execution_environment_id = null,
  // The form has no input for it.
  type = '',
}: Partial<Project> = {}) => ({
  name,
  alert,
  alert_chat: chat ?? '',
  // An empty text means no limit, as 0 does in the API.
  max_parallel_tasks: max ? String(max) : '',
  runner_tags,
  keep_home,
  host_facts,
  execution_environment_id,
  type,
});
export type ProjectValues = ReturnType<typeof projectValues>;

// Keeps texts such as "07" or "1.5", so that the schema refuses them.
const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text));

export const projectBody = (values: ProjectValues) => ({
  ...values,
  max_parallel_tasks: toNumber(values.max_parallel_tasks),
});

/** The server's error path has the index of one entry; the form has one input for all entries. */
export const inputPath = (path: string): string =>
  ['runner_tags', 'host_facts'].find((name) => path.startsWith(`${name}.`)) ?? path;
