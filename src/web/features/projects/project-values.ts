// The values of the project form, and the body made from them.

import type { Project } from '#shared/api/projects.ts';

export type ProjectValues = {
  name: string;
  alert: boolean;
  alert_chat: string;
  max_parallel_tasks: string;
  runner_tags: string[];
  keep_home: boolean;
  host_facts: string[];
  /** The form has no input for it. */
  type: string;
};

const none: ProjectValues = {
  name: '',
  alert: false,
  alert_chat: '',
  max_parallel_tasks: '',
  runner_tags: [],
  keep_home: false,
  host_facts: [],
  type: '',
};

export const projectValues = (project?: Project): ProjectValues =>
  project
    ? {
        name: project.name,
        alert: project.alert,
        alert_chat: project.alert_chat ?? '',
        // An empty text means no limit, as 0 does in the API.
        max_parallel_tasks: project.max_parallel_tasks ? String(project.max_parallel_tasks) : '',
        runner_tags: project.runner_tags,
        keep_home: project.keep_home,
        host_facts: project.host_facts,
        type: project.type,
      }
    : none;

// Texts such as "07" or "1.5" stay as they are, so that the schema can refuse them.
const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text));

export const projectBody = (values: ProjectValues) => ({
  ...values,
  max_parallel_tasks: toNumber(values.max_parallel_tasks),
});

/** The server names one entry in the path of an error; the form has one input for all entries. */
export const inputPath = (path: string): string =>
  ['runner_tags', 'host_facts'].find((name) => path.startsWith(`${name}.`)) ?? path;
