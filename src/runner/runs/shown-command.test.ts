import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../../test/helpers/seed.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import { createMask } from '../log/mask.ts';
import { shownCommand } from '../programs/shell.ts';

/** The words that a shell makes of a command. */
function wordsOf(command: string): string[] {
  const text = execFileSync('sh', ['-c', String.raw`printf '%s\0' ${command}`], {
    encoding: 'utf8',
  });
  return text.split('\0').slice(0, -1);
}

const odd = [
  'plain-1.2/x',
  '',
  'two words',
  `it's "so"`,
  `'`,
  '$HOME `id` $(id)',
  String.raw`back\slash\n`,
  'two\nlines\n',
  '*',
  '~',
  '#no comment',
  'a;b|c&d>e<f',
  '!history',
  '{a,b}',
  '-',
  'é🚂',
];

test('a shell makes the same words of it', () => {
  const command = { command: '/opt/my programs/run', args: odd };
  expect(wordsOf(shownCommand(command, (line) => line))).toEqual([command.command, ...odd]);
});

test('a secret is hidden in it, whatever quotes it has', () => {
  const secret = `can'ary "one" $x`;
  const args = [`--token=${secret}`, secret, encodeURIComponent(secret)];
  const shown = shownCommand({ command: 'run', args }, createMask([secret]));
  expect(shown).toBe(`run '--token=********' '********' '********'`);
});

test('the commands of a task are what its program has got, with known secrets hidden', async () => {
  const runner = await testRunner();
  const file = join(await folder(), 'words');
  const secret = `can'ary $word`;
  const { status, commands, log } = await runner.run({
    files: { 'play.yml': `printf '%s\\0' "$0" "$@" > '${file}'` },
    secrets: { variables: { token: secret } },
    arguments: [...odd, '--token', secret],
    limit: 'web & others',
  });
  expect([status, commands.length]).toEqual(['success', 1]);
  const [, ...got] = (await readFile(file, 'utf8')).split('\0').slice(0, -1);
  expect(got).toContain(secret);
  const [program, ...shown] = wordsOf(commands.join('\n'));
  expect(program).toBe('ansible-playbook');
  expect(shown).toEqual(got.map((word) => (word === secret ? '********' : word)));
  expect(log).toContain(`Command: ${commands.join('\n')}`);
  expect(log).not.toContain('ary $word');
});
