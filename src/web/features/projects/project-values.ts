// The values of the project form, and the body made from them.

import type { Project } from '#shared/api/projects.ts';

export type ProjectValues = {
  name: string;
  alert: boolean;
  alert_chat: string;
  max_parallel_tasks: string;
  runner_tags: string[];
  keep_home: boolean;
  /** The form has no input for it. */
  type: string;
};

export const projectValues = (project?: Project): ProjectValues => ({
  name: project?.name ?? '',
  alert: project?.alert ?? false,
  alert_chat: project?.alert_chat ?? '',
  max_parallel_tasks: project ? String(project.max_parallel_tasks) : '',
  runner_tags: project?.runner_tags ?? [],
  keep_home: project?.keep_home ?? false,
  type: project?.type ?? '',
});

// Texts such as "07" or "1.5" stay as they are, so that the schema can refuse them; an empty text
// means no limit.
const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text));

export const projectBody = (values: ProjectValues) => ({
  ...values,
  max_parallel_tasks: toNumber(values.max_parallel_tasks),
});

/** The server names a single tag in the path of an error; the form has one input for all tags. */
export const inputPath = (path: string): string =>
  path.startsWith('runner_tags.') ? 'runner_tags' : path;
