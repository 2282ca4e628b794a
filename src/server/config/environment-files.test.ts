import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { file } from '../../../test/helpers/config.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { runInside } from '../../../test/helpers/command.ts';
import { parseEnvironment, withEnvironmentFiles } from './environment-files.ts';

test.each([
  ['a plain value', 'A=one\n', { A: 'one' }],
  ['spaces around a value', '  A = one two \n', { A: 'one two' }],
  ['single quotes', `A='one "two" \\ three '`, { A: 'one "two" \\ three ' }],
  ['double quotes', `A="one \\"two\\" \\$3 \\\\ \\n"`, { A: 'one "two" $3 \\ \\n' }],
  ['parts that are quoted in different ways', `A="one"'two'three`, { A: 'onetwothree' }],
  ['quotes within a plain value', `A=Anna's "server"`, { A: `Anna's "server"` }],
  ['characters that begin comments elsewhere', 'A=one#two ;three', { A: 'one#two ;three' }],
  ['comments, also with quotes', `# it's\n; A=no\nB=yes\n`, { B: 'yes' }],
  ['lines that are joined', 'A=one \\\n  two\nB="x\\\ny"', { A: 'one   two', B: 'xy' }],
  ['quoted text of several lines', `A="one\nB=two"\nC=3`, { A: 'one\nB=two', C: '3' }],
  ['no value', 'A=\nB=""\n', { A: '', B: '' }],
  ['a later line with the same name', 'A=one\nA=two', { A: 'two' }],
  ['lines of Windows', 'A=one\r\nB=two\r\n', { A: 'one', B: 'two' }],
  ['lines that set nothing', 'nonsense\n1A=x\nexport A=y\n', {}],
])('reads %s', (_title, text, variables) => {
  expect(parseEnvironment(text)).toEqual(variables);
});

test('reads what a shell writes and reads in the same way', async () => {
  const values = ['plain', 'with space', `a 'quoted' one`, 'back\\slash', '$HOME `id`', '"', '#1'];
  const quoted = values.map((value) => `"${value.replaceAll(/[\\"$`]/g, '\\$&')}"`);
  const path = join(await folder(), 'environment');
  writeFileSync(path, quoted.map((value, index) => `V${index}=${value}\n`).join(''));
  const script = `set -a; . "$0"; exec /usr/bin/env -0`;
  const shown = execFileSync('/bin/sh', ['-c', script, path], { env: {}, encoding: 'utf8' });
  const bySh = new Map(shown.split('\0').map((line) => line.split(/=(.*)/s) as [string, string]));
  const read = withEnvironmentFiles({ SIGNALBOX_ENVIRONMENT_FILES: path });
  expect(values.map((_value, index) => read[`V${index}`])).toEqual(values);
  expect(values.map((_value, index) => bySh.get(`V${index}`))).toEqual(values);
});

test('a later file wins over an earlier one, and the environment over both', () => {
  const paths = [file('A=1\nB=1\nC=1\n'), '/nowhere/environment', file('B=2\nC=2\n')];
  const given = { SIGNALBOX_ENVIRONMENT_FILES: paths.join(':'), C: '3' };
  expect(withEnvironmentFiles(given)).toEqual({ ...given, A: '1', B: '2' });
  expect(withEnvironmentFiles({ C: '3' })).toEqual({ C: '3' });
});

test('a command finds the installation of the service, and says when it may not', async () => {
  const dataDir = await folder();
  const named = { SIGNALBOX_ENVIRONMENT_FILES: file(`SIGNALBOX_DATA_DIR="${dataDir}"\n`) };
  const anna = ['--login', 'anna', '--name', 'Anna', '--email', 'a@example.com', '--password', '-'];
  const added = await runInside(['user', 'add', ...anna], named, 'a long enough passphrase\n');
  expect(added).toMatchObject({ code: 0, error: '' });
  const listed = await runInside(['user', 'list'], { SIGNALBOX_DATA_DIR: dataDir });
  expect(listed.out).toBe('anna\n');
  const refused = await runInside(['user', 'list'], { SIGNALBOX_ENVIRONMENT_FILES: dataDir });
  expect([refused.code, refused.error]).toEqual([
    1,
    `The settings of the service (${dataDir}) cannot be read. The system says EISDIR.\n`,
  ]);
});
