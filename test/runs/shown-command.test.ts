import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { testApp } from '../helpers/app.ts';
import { folder, seedProject } from '../helpers/seed.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';
import { createMask } from '../../src/runner/log/mask.ts';
import { shownCommand } from '../../src/runner/programs/shell.ts';

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
  const app = await testApp({ runner: true });
  const file = join(await folder(), 'words');
  const seed = await seedProject(app.admin, {
    'play.yml': `printf '%s\\0' "$0" "$@" > '${file}'`,
  });
  const secret = `can'ary $word`;
  const environment = await app.admin.call(environments.create, {
    params: { project_id: seed.projectId },
    body: { name: 'E', secrets: [{ operation: 'create', name: 'token', secret }] },
  });
  const template = await seed.template({
    environment_id: environment.id,
    arguments: JSON.stringify([...odd, '--token', secret]),
    limit: 'web & others',
  });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const { status, commands } = await untilFinished(app.admin, task);
  expect([status, commands.length]).toEqual(['success', 1]);
  const [, ...got] = (await readFile(file, 'utf8')).split('\0').slice(0, -1);
  expect(got).toContain(secret);
  const [program, ...shown] = wordsOf(commands.join('\n'));
  expect(program).toBe('ansible-playbook');
  expect(shown).toEqual(got.map((word) => (word === secret ? '********' : word)));
  const log = await logText(app.admin, task);
  expect(log).toContain(`Command: ${commands.join('\n')}`);
  expect(log).not.toContain('ary $word');
});
