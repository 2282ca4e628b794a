// Why a task failed, as codes with English sentences, as in errors.ts.

import { fillIn, type Params } from '../errors.ts';

const catalogue = {
  'failure.exit_code': '{{program}} ended with the exit code {{code}}.',
  'failure.signal': '{{program}} was ended by the signal {{signal}}.',
  'failure.timeout': 'The time limit of {{seconds}} seconds is over; the task was ended.',
  'failure.result_unknown': 'The supervisor of this task is gone, so its result is not known.',
  'failure.runner_lost':
    'The server {{server}} that ran this task was lost, so its result is not known.',
  'failure.disk_full':
    'The disk of the server is full: the rest of the log is lost, and the task was ended.',
  'failure.host_key':
    'The key of an ssh host is not the one that this project has pinned. {{program}} ended with the exit code {{code}}.',
  'failure.unanswered':
    'The playbook asks for {{names}} (vars_prompt), and nobody can answer while a task runs. Set these variables in the survey of the template or in its environment.',
  'failure.hosts_beyond':
    'The limit of this task would reach other hosts than those that it is to run again on: {{hosts}}. That happens where a group and a host have the same name. Nothing was run.',
  'failure.preparation': 'The task could not be prepared: {{reason}}',
  'failure.interrupted': 'The task could not go on: {{reason}}',
} as const satisfies Record<string, string>;

export type FailureCode = keyof typeof catalogue;
export const failureCodes = Object.keys(catalogue) as [FailureCode, ...FailureCode[]];

export const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(catalogue, code);

/** The sentence of a code, before its parameters are filled in. */
export const failureText = (code: FailureCode): string => catalogue[code];

export interface Failure {
  code: FailureCode;
  params: Params;
}

/** The English sentence of a failure. */
export const failureWords = ({ code, params }: Failure): string =>
  fillIn(failureText(code), params);
