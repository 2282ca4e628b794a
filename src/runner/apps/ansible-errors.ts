// The headline of an error with which Ansible itself ends, for people only; no decision depends on it. Failures
// of tasks of a playbook are among the results.

import { stripVTControlCharacters } from 'node:util';

// "ERROR!" until 2.18; "[ERROR]:" from 2.19 on, where failures of tasks have the same form.
const plain = /^(?:ERROR!|\[ERROR\]:) (?!Task failed)(\S.*)$/;
const callback = /^(?:Invalid callback for stdout specified: |Could not load '|The ').*\byaml\b/;

/** Null: no error begins in this line. */
export function ansibleHeadline(line: string): string | null {
  const error = plain.exec(stripVTControlCharacters(line))?.[1]?.trimEnd().replace(/\.$/, '');
  if (error === undefined) return null;
  return callback.test(error) ? `${error}. ${withoutCallback}` : error;
}

const withoutCallback =
  'Write "callback_result_format = yaml" in ansible.cfg in place of "stdout_callback": that needs no collection';
