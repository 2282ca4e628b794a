// Slow: the real Ansible runs, and pip installs.
// How the secrets of an environment, and answers, reach the programs of a task.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { quickPython } from '../../../test/helpers/quick-python.ts';
import { makeGreetingWheel } from '../../../test/helpers/python-wheel.ts';
import { folder, gitRepository } from '../../../test/helpers/seed.ts';
import type { TaskInput } from '../../../test/runner/given.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const standIn = join(import.meta.dirname, '../../../test/fixtures/stand-in/terraform');

const start = () => testRunner({ config: { path: realPrograms } });

const play = `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.debug:
        msg:
          - "plain {{ plain }}"
          - "region {{ region }}"
          - "token of {{ token | length }}, {{ token == 'can' ~ 'ary-' ~ '{' ~ '{ 1 }' ~ '}' }}"
          - "process of {{ lookup('env', 'API_KEY') | length }}"
          - "shown: {{ token }} {{ lookup('env', 'API_KEY') | b64encode }}"
`;

describe('the secrets of an environment', () => {
  const environment: TaskInput = {
    json: '{"plain": "text", "token": "of the JSON", "region": "north"}',
    env: '{"API_KEY": "of the JSON", "PLAIN": "p"}',
    secrets: {
      // Not evaluated: a secret may hold any characters.
      variables: { token: 'canary-{{ 1 }}', region: 'secret region' },
      process: { API_KEY: 'canary-key' },
    },
    answers: { region: 'south' },
  };

  test('are variables of a playbook and of its process, outranked by answers, and masked', async () => {
    const runner = await start();
    const { status, log } = await runner.run({ ...environment, files: { 'play.yml': play } });
    expect([status, log]).toEqual(['success', log]);
    for (const words of ['plain text', 'region south', 'token of 14, True', 'process of 10']) {
      expect(log).toContain(words);
    }
    expect(log).toContain('shown: ********');
    expect(log).not.toMatch(/canary-|Y2FuYXJ5/);
  });

  test('reach a script by its process and the file of variables, never by its arguments', async () => {
    const script = [
      'echo "arguments $*"',
      'echo "of ${#token} ${#API_KEY} $PLAIN $plain $region"',
      'tr , "\\n" < "$SIGNALBOX_VARIABLES" | sed "s/canary/found/"',
    ].join('\n');
    const runner = await start();
    const files = { 'run.sh': script };
    const bash = { app: 'bash', playbook: 'run.sh', files };
    const { status, log } = await runner.run({ ...environment, ...bash });
    expect([status, log]).toEqual(['success', log]);
    expect(log).toContain('arguments \n');
    expect(log).toContain('of 14 10 p text south\n');
    expect(log).toContain('"token":"found-{{ 1 }}"');
  });

  test('are known to the programs that install requirements: pip', async () => {
    const runner = await start();
    const wheels = await folder();
    makeGreetingWheel(wheels, 'place = "a wheel"\n');
    const ofPython = {
      app: 'python',
      program: { path: quickPython(), args: [] },
      playbook: 'run.py',
      env: '{"PIP_NO_INDEX": "1"}',
    };
    const { status, log } = await runner.run({
      ...ofPython,
      files: {
        'run.py': 'import greeting; print("hello from", greeting.place)',
        'requirements.txt': 'greeting==1.0\n',
      },
      secrets: { process: { PIP_FIND_LINKS: wheels } },
    });
    expect([status, log]).toEqual(['success', log]);
    expect(log).toContain('hello from a wheel');
    expect(log).not.toContain(wheels);
    // What one project was let in to is not for the others.
    await rm(wheels, { recursive: true });
    const foreign = await runner.run({
      ...ofPython,
      project: 2,
      template: 2,
      files: { 'run.py': 'import greeting', 'requirements.txt': 'greeting==1.0\n' },
    });
    expect(foreign.status).toBe('error');
    expect(foreign.log).toContain('No matching distribution found for greeting');
  });
});

describe('answers', () => {
  test('win over the environment, in every app', async () => {
    const runner = await start();
    const repository = await gitRepository({
      'play.yml':
        '- hosts: all\n  gather_facts: false\n  tasks: [{ ansible.builtin.debug: { msg: "region {{ region }}" } }]\n',
      'run.sh': 'echo "region $region"',
      'infra/main.tf': '# input: nothing\n',
    });
    const both = { repository, json: '{"region": "north"}', answers: { region: 'south' } };
    expect((await runner.run(both)).log).toContain('region south');
    const script = { ...both, app: 'bash', playbook: 'run.sh' };
    expect((await runner.run(script)).log).toContain('\nregion south');
    const plan = (answers: TaskInput['answers'] = {}) =>
      runner.run({
        app: 'terraform',
        program: { path: standIn, args: [] },
        playbook: 'infra',
        repository,
        json: '{"word": "north"}',
        secrets: { variables: { word: 'canary-word' } },
        dryRun: true,
        answers,
      });
    expect((await plan()).log).toContain('input = ********');
    expect((await plan({ word: 'south' })).log).toContain('input = south');
  });
});

test('values keep their types and their order: large integers, nested ones, texts with quotes', async () => {
  const json = `{"z": 12345678901234567890, "a": {"list": [1, "two", true], "n": 1.0}, "q": "it's \\"so\\"", "m": false}`;
  const runner = await start();
  const given = {
    repository: await gitRepository({
      'run.sh': 'for one in "$z" "$a" "$q" "$m"; do echo "got $one"; done',
      'play.yml': `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.debug:
        msg: "{{ z }} {{ z | type_debug }} {{ a.list[1] }} {{ a.n | type_debug }} {{ q }} {{ m | type_debug }}"
`,
    }),
    json,
    env: '{"BIG": 12345678901234567890}',
  };
  const { log } = await runner.run({ ...given, app: 'bash', playbook: 'run.sh' });
  const got = log.split('\n').filter((line) => line.startsWith('got '));
  expect(got).toEqual([
    'got 12345678901234567890',
    'got {"list":[1,"two",true],"n":1.0}',
    `got it's "so"`,
    'got false',
  ]);
  const played = (await runner.run(given)).log;
  expect(played).toContain(`12345678901234567890 int two float it's \\"so\\" bool`);
});
