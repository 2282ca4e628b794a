// What the inputs of the project form hold, and what is sent of it.

import type { Project } from '#shared/api/projects.ts';

export type ProjectValues = {
  name: string;
  alert: boolean;
  alert_chat: string;
  max_parallel_tasks: string;
  runner_tags: string[];
  /** No input changes it. */
  type: string;
};

export const projectValues = (project?: Project): ProjectValues => ({
  name: project?.name ?? '',
  alert: project?.alert ?? false,
  alert_chat: project?.alert_chat ?? '',
  max_parallel_tasks: project ? String(project.max_parallel_tasks) : '',
  runner_tags: project?.runner_tags ?? [],
  type: project?.type ?? '',
});

// "07" or "1.5" stay what they are for the schema to judge; an empty text means no limit.
const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text));

export const projectBody = (values: ProjectValues) => ({
  ...values,
  max_parallel_tasks: toNumber(values.max_parallel_tasks),
});

/** The server names each tag by itself. */
export const inputPath = (path: string): string =>
  path.startsWith('runner_tags.') ? 'runner_tags' : path;
