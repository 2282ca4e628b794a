import { expect, test } from 'vitest';
import { runTool } from './process.ts';

const print = (bytes: number) => ({
  command: 'head',
  args: ['-c', String(bytes), '/dev/zero'],
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  outputLimit: 1000,
});

test('a program that has printed too much is no success, even if it has ended by itself', async () => {
  expect(await runTool(print(1000))).toMatchObject({ exitCode: 0, stdout: '\0'.repeat(1000) });
  for (const bytes of [1001, 50_000]) {
    expect(await runTool(print(bytes))).toMatchObject({ exitCode: null, failure: null });
  }
});
