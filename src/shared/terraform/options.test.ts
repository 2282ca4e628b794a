import { expect, test } from 'vitest';
import { refusedOption } from './options.ts';

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
