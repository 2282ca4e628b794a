// The reasons of failed tasks, and remarks on successful ones.

import { type Coded, type CodeOf, defineCatalogue } from './catalogue.ts';

export const taskFailures = defineCatalogue({
  'failure.exit_code': '{{program}} ended with the exit code {{code}}.',
  'failure.program_error': '{{program}} ended with the exit code {{code}}: {{error}}.',
  'failure.signal': '{{program}} was ended by the signal {{signal}}.',
  'failure.timeout': 'The time limit of {{seconds}} seconds is over; the task was ended.',
  'failure.memory_limit':
    '{{program}} was ended because it used more than the {{mib}} MiB of memory that this task may use.',
  'failure.process_limit':
    '{{program}} failed after it had been refused a process: this task may have at most {{most}} at once.',
  'failure.result_unknown': 'The supervisor of this task is gone, so its result is not known.',
  'failure.runner_lost':
    'The server {{server}} that ran this task was lost, so its result is not known.',
  'failure.restored':
    'The installation was restored from a backup that was made while this task ran, so its result is not known.',
  'failure.disk_full':
    'The disk of the server is full: the rest of the log is lost, and the task was ended.',
  'failure.host_key':
    'The key of an ssh host is not the one that this project has pinned. {{program}} ended with the exit code {{code}}.',
  'failure.unanswered':
    'The playbook asks for {{names}} (vars_prompt), and nobody can answer while a task runs. Set these variables in the survey of the template or in its environment.',
  'failure.hosts_beyond':
    'The limit of this task would reach other hosts than those that it is to run again on: {{hosts}}. That happens where a group and a host have the same name. Nothing was run.',
  'failure.no_hosts':
    'The playbook ran on no host: the inventory has no host that its plays and the limit select, or it could not be read. Nothing was done.',
  'failure.outputs_file':
    'The file of outputs (SIGNALBOX_OUTPUTS) is no plain file that can be read. Write into the file that is there, or put a plain file in its place.',
  'failure.outputs_text':
    'Line {{line}} of the outputs is no text: write UTF-8 without zero bytes, and other bytes as base64.',
  'failure.outputs_line':
    'Line {{line}} of the outputs is not understood: write NAME=value without spaces around the name, or secret NAME=value. Several lines are written between NAME<<END and END.',
  'failure.outputs_unended':
    'A value of several lines begins at line {{line}} of the outputs and has no end: write the word after << alone in a line behind it.',
  'failure.outputs_json':
    'The outputs begin with {, so they have to be one JSON object, and line {{line}} is not valid JSON. Write JSON with a program such as jq, or lines NAME=value.',
  'failure.outputs_depth':
    'The outputs are nested more than {{most}} deep: hand on a flatter value, or its JSON as a text.',
  'failure.outputs_name':
    '"{{name}}" cannot be the name of an output: a name has letters, digits and _, begins with no digit, and has at most 128 characters.',
  'failure.outputs_number':
    'A number in the output {{name}} has more digits than can be kept: hand it on as a text, in quotes.',
  'failure.outputs_masked':
    'The output {{name}} holds "$REDACTED$", which Ansible shows in the place of a secret: hand on the variable itself, with no_log.',
  'failure.outputs_value_size':
    'The output {{name}} is larger than {{most}} KiB: hand on a shorter value, such as the address of a file.',
  'failure.outputs_size':
    'The outputs are larger than {{most}} KiB together: hand on less, such as the address of a file.',
  'failure.outputs_count':
    'The task has more than {{most}} outputs: hand on a list or an object in one of them.',
  'failure.state_left':
    'The run has left a state of Terraform in its folder, which is removed after the run. The state was set aside in {{path}} on the server that ran the task: put it where the next run finds it, and name a backend.',
  'failure.preparation': 'The task could not be prepared: {{reason}}',
  'failure.interrupted': 'The task could not go on: {{reason}}',
});
export type FailureCode = CodeOf<typeof taskFailures>;
export type Failure = Coded<FailureCode>;
