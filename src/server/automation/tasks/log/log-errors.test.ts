import { expect, test } from 'vitest';
import { createErrorReader } from './log-errors.ts';

function errorsIn(...lines: string[]) {
  const reader = createErrorReader();
  for (const line of lines) reader.read(line);
  return reader.errors;
}

test('finds each host that failed, in colours or not, with what the line says', () => {
  const failed = 'fatal: [web1]: FAILED! => {"changed": false, "msg": "no such package"}';
  const item = 'failed: [web2 -> db1] (item=a) => {"msg": "no"}';
  expect(errorsIn('', 'ok: [web3]', `\u001b[0;31m${failed}\u001b[0m`, item)).toEqual([
    { host: 'web1', error: failed },
    { host: 'web2', error: item },
  ]);
});

test('leaves out what the playbook ignores, and hosts that cannot be reached', () => {
  const lines = [
    'fatal: [web1]: FAILED! => {"msg": "no"}',
    '...ignoring',
    'fatal: [web2]: UNREACHABLE! => {"msg": "no route"}',
  ];
  expect(errorsIn(...lines)).toEqual([]);
});

test('takes the lines below a failure that holds its result there', () => {
  const lines = ['fatal: [web1]: FAILED! => ', '  msg: no such package', '  rc: 1', '', 'ok: [a]'];
  expect(errorsIn(...lines)).toEqual([
    { host: 'web1', error: 'fatal: [web1]: FAILED! => \n  msg: no such package\n  rc: 1' },
  ]);
  const long = errorsIn('fatal: [a]: FAILED! => {', ...Array.from({ length: 9000 }, () => 'x'));
  expect(long[0]?.error.split('\n')).toHaveLength(51);
  expect(errorsIn(`fatal: [a]: FAILED! => ${'x'.repeat(9000)}`)[0]?.error).toHaveLength(4096);
});
