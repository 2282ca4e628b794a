import { expect, test } from 'vitest';
import { type FailureCode, taskFailures } from '#shared/catalogue/task-failures.ts';
import english from '../../../locales/en.json' with { type: 'json' };
import { adviceOf, lastWords } from './advice.ts';

const failed = (code: FailureCode, params = {}) => ({ code, params, text: '' });

test.each([
  ["ERROR! the role 'nginx' was not found in /work/roles", 'role'],
  ["ERROR! couldn't resolve module/action 'community.general.ufw'.", 'collection'],
  ['ERROR! Attempting to decrypt but no vault secrets found', 'vault'],
  ['ERROR! Decryption failed (no vault secrets were found that could decrypt)', 'vault'],
  ['ERROR! the playbook: site.yml could not be found', 'playbook'],
  ['ERROR! Specified hosts and/or --limit do not match any hosts', 'limit'],
  ['[WARNING]: Could not match supplied host pattern, ignoring: web9', 'limit'],
  ['ERROR! Syntax Error while loading YAML.', 'syntax'],
  ["ERROR! 'host' is not a valid attribute for a Play", 'syntax'],
  ['[ERROR]: YAML parsing failed: While scanning a simple key could not find expected', 'syntax'],
  ['[ERROR]: no module/action detected in task.', 'syntax'],
  ["ERROR! A playbook must be a list of plays, got a <class 'dict'> instead: site.yml", 'syntax'],
  ['ERROR! vars file common.yml was not found', 'missing_file'],
  ['[ERROR]: Unable to retrieve file contents.', 'missing_file'],
  ['make: *** [all] Error 2', 'exit_code'],
])('a log that ends with "%s" leads to the advice %s', (line, advice) => {
  expect(adviceOf(failed('failure.exit_code'), ['something before', line])).toBe(advice);
});

test.each([
  ['fatal: repository not found', 'repository'],
  ['fatal: Could not resolve host: git.example', 'repository'],
  ['The inventory has no hosts', 'preparation'],
])('a preparation that failed with "%s" leads to the advice %s', (reason, advice) => {
  expect(adviceOf(failed('failure.preparation', { reason }), [])).toBe(advice);
});

test.each([
  ['Error acquiring the state lock', 'state_lock'],
  ['Saved plan is stale', 'stale_plan'],
  ['No value for required variable', 'missing_variable'],
  ['Failed to query available provider packages', 'provider_install'],
  ['Plugin did not respond', 'provider_crash'],
  [
    "Can't ask approval for state migration when interactive input is disabled.",
    'state_in_repository',
  ],
  ['Invalid index', 'exit_code'],
])('the error "%s" of Terraform leads to the advice %s', (error, advice) => {
  expect(adviceOf(failed('failure.program_error', { error }), [])).toBe(advice);
  expect(english.run.advice).toHaveProperty(advice);
});

test.each([
  ['failure.tools_packages', 'execution_environment'],
  ['failure.python_missing', 'execution_environment'],
  ['failure.tools_disk', 'disk_full'],
  ['failure.pod_image', 'execution_environment'],
  ['failure.pod_state', 'execution_environment'],
  ['failure.pod_server', 'pod_cluster'],
  ['failure.pod_evicted', 'pod_lost'],
  ['failure.pod_disrupted', 'pod_lost'],
] as const)('the failure %s of an execution environment leads to the advice %s', (code, advice) => {
  expect(adviceOf(failed(code), [])).toBe(advice);
});

test('there are words for the advice of every failure', () => {
  const advice = taskFailures.codes.map((code) => adviceOf(failed(code), []));
  expect(Object.keys(english.run.advice)).toEqual(expect.arrayContaining(advice));
});

test('the quoted lines have words, and do not repeat the sentence above them', () => {
  const log = 'one\n\ntwo\nthree\nbash ended with the exit code 3.\n';
  expect(lastWords(log, 'bash ended with the exit code 3.', 2)).toEqual(['two', 'three']);
});
