// The headline of an error for which Ansible itself ends, for people to read; nothing is decided by it.
// What a task of a playbook says of its failure is among the results.

import { stripVTControlCharacters } from 'node:util';

// Until 2.18, and from 2.19 on, where failures of tasks are told in the same way.
const plain = /^(?:ERROR!|\[ERROR\]:) (?!Task failed)(\S.*)$/;
const callback = /^(?:Invalid callback for stdout specified: |Could not load '|The ').*\byaml\b/;

/** Null: the line begins no error. */
export function ansibleHeadline(line: string): string | null {
  const error = plain.exec(stripVTControlCharacters(line))?.[1]?.trimEnd().replace(/\.$/, '');
  if (error === undefined) return null;
  return callback.test(error) ? `${error}. ${withoutCallback}` : error;
}

const withoutCallback =
  'Write "callback_result_format = yaml" in ansible.cfg in place of "stdout_callback": that needs no collection';
