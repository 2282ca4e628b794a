import { expect, test } from 'vitest';
import { refusedInVariables, refusedOption } from './options.ts';

test.each([
  [['-out=x'], '-out', 'own'],
  [['--out', 'x'], '-out', 'own'],
  [['-target', '-out', '--detailed-exitcode=false'], '-detailed-exitcode', 'own'],
  [['-state=other.tfstate'], '-state', 'own'],
  [['-var', '-help'], '-help', 'own'],
  [['-lock=false', '--version'], '--version', 'own'],
  [['-backend-config=a=b'], '-backend-config', 'init'],
  [['--upgrade'], '-upgrade', 'init'],
])('%j has an option that no run can pass on', (args, option, because) => {
  for (const app of ['terraform', 'tofu']) {
    expect(refusedOption(app, args)).toEqual({ option, because });
  }
  expect(refusedOption('ansible', args)).toBeNull();
});

test('what belongs to plan is taken, also as a value of another option', () => {
  const args = ['-destroy', '-target', '-out', '-var-file=-state', '-var', 'x=-h', '-refresh-only'];
  expect(refusedOption('terraform', [...args, '-json', '-lock=false', '-outer'])).toBeNull();
  // Both programs take nothing behind this for an option.
  expect(refusedOption('tofu', ['--', '-out=x'])).toBeNull();
});

test('options in variables are refused when they undo what a run does', () => {
  const of = (TF_CLI_ARGS_plan: string) => refusedInVariables({ TF_CLI_ARGS_plan })?.option ?? null;
  expect(['-lock-timeout=1m --help', "'-h'", '--state x', '-state-out="a b"'].map(of)).toEqual([
    '--help',
    '-h',
    '--state',
    '-state-out=a',
  ]);
  expect(['', '-lock-timeout=1m', '-refresh=false -var=state=x', '-target=help'].map(of)).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(refusedInVariables({ TF_CLI_CONFIG_FILE: '-help', TF_VAR_x: '-help' })).toBeNull();
});
