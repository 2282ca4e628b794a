import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBuiltIn } from '#shared/apps.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const script = `
for a; do echo "given: $a"; done
echo "process: $REGION; $deep; $count; $word"
echo "secret is \${#token} long"
python3 -c 'import json, os; v = json.load(open(os.environ["SIGNALBOX_VARIABLES"])); print(sorted(v), v["count"] + 1, v["deep"])'
pwd | sed 's/.*runs/runs/'
`;

test('a shell script gets its arguments, its variables and its environment; secrets stay hidden', async () => {
  const runner = await testRunner();
  const { status, log, commands } = await runner.run({
    app: 'bash',
    playbook: 'bin/run.sh',
    files: { 'bin/run.sh': script },
    json: '{"deep": {"a": [1, "two"]}, "count": 0, "word": "from the environment"}',
    env: '{"REGION": "north"}',
    arguments: ['--first', 'a b; $(touch /tmp/never)'],
    answers: { count: 41, word: '$(id) `id`' },
    secretAnswers: { token: 'canary-script' },
  });
  expect([status, log.match(/(?<=given: ).*/g)]).toEqual([
    'success',
    ['--first', 'a b; $(touch /tmp/never)'],
  ]);
  expect(log).toContain('process: north; {"a":[1,"two"]}; 41; $(id) `id`\nsecret is 13 long\n');
  expect(log).toContain("['count', 'deep', 'token', 'word'] 42 {'a': [1, 'two']}");
  expect(log).toMatch(/^runs\/.*\/checkout$/m);
  expect(log).toContain('\nVariables: deep, count, word, token\n');
  expect(commands).toEqual(["bash bin/run.sh --first 'a b; $(touch /tmp/never)'"]);
  expect(`${log} ${commands.join(' ')}`).not.toContain('canary');
});

test('an answer wins over a variable of the process that the environment sets', async () => {
  const runner = await testRunner();
  const { log } = await runner.run({
    app: 'bash',
    playbook: 'run.sh',
    files: { 'run.sh': 'echo "given: $REGION $STAGE $COUNT"\n' },
    json: '{"STAGE": "test"}',
    env: '{"REGION": "north", "STAGE": "production", "COUNT": 1}',
    answers: { REGION: 'south' },
    secretAnswers: { COUNT: 12345 },
  });
  expect(log).toContain('given: south production ********');
});

test('an answer does not steer the programs of a task', async () => {
  const runner = await testRunner();
  const { status, log } = await runner.run({
    app: 'bash',
    playbook: 'run.sh',
    files: { 'run.sh': 'echo "given: [$BASH_ENV] [$Word]"\n' },
    answers: { BASH_ENV: '/tmp/never', PATH: '/tmp/never', Word: 'x' },
  });
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain('since programs obey them: BASH_ENV, PATH\n');
  expect(log).toContain('given: [] [x]');
});

test('a PowerShell script runs without profile and prompt (a stand-in for pwsh)', async () => {
  const runner = await testRunner();
  const path = join(await folder(), 'pwsh');
  await writeFile(path, '#!/bin/sh\nfor a; do echo "given: $a"; done\n');
  await chmod(path, 0o755);
  const { log } = await runner.run({
    app: 'powershell',
    program: { path, args: findBuiltIn('powershell')?.args ?? [] },
    playbook: 'run.ps1',
    files: { 'run.ps1': '' },
    answers: { word: '; Remove-Item x' },
  });
  expect(log.match(/(?<=given: ).*/g)).toEqual([
    '-NoProfile',
    '-NonInteractive',
    '-File',
    'run.ps1',
  ]);
});

test('a script outside the repository is not run', async () => {
  const runner = await testRunner();
  const files = { 'run.sh': 'echo ran\n' };
  const { status, log } = await runner.run({ app: 'bash', playbook: 'gone.sh', files });
  expect(status).toBe('error');
  expect(log).toContain('The script "gone.sh" is not in the repository');
});
