// The results of a task in the format of later versions of the API.

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, time } from '../fields.ts';
import { hostResult } from './tasks.ts';

const line = z.number().int().nullable();

const stageTypes = ['init', 'running', 'print_result'] as const;

const stage = z.object({
  /** Its number in the task, from 1. */
  id: z.number().int(),
  task_id: id,
  type: z.enum(stageTypes),
  /** The times of its first line, and of the first line of the next stage. */
  start: time.nullable(),
  end: time.nullable(),
  /** The numbers of its lines. */
  start_output_id: line,
  end_output_id: line,
  /** Always null. */
  result: z.null(),
});
export type TaskStage = z.output<typeof stage>;

const ofTask = {
  /** Its position in the list, from 1. */
  id: z.number().int(),
  task_id: id,
  project_id: id,
};

const ansibleHost = hostResult.extend(ofTask);
export type AnsibleHost = z.output<typeof ansibleHost>;

const ansibleError = z.object({
  ...ofTask,
  host: z.string(),
  task: z.string(),
  /** The message in the log, without colours. */
  error: z.string(),
});
export type AnsibleError = z.output<typeof ansibleError>;

const shared = {
  permission: 'task.log',
  forOthers: true,
} as const;

export const taskResults = {
  stages: endpoint.get('/api/project/:project_id/tasks/:task_id/stages', {
    ...shared,
    summary:
      'The stages of an Ansible run, read from its log: before the first play, from there to the recap, and the recap. Empty for other programs',
    reply: z.array(stage),
  }),
  hosts: endpoint.get('/api/project/:project_id/tasks/:task_id/ansible/hosts', {
    ...shared,
    summary: 'What became of each host; empty until Ansible has told it at its end',
    reply: z.array(ansibleHost),
  }),
  errors: endpoint.get('/api/project/:project_id/tasks/:task_id/ansible/errors', {
    ...shared,
    summary:
      'What failed on which host, read from the log: at most 1,000 errors, without those that the playbook ignores and without unreachable hosts',
    reply: z.array(ansibleError),
  }),
};
