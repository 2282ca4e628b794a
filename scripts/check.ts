// `npm run check`: checks everything that can be checked without running the product. Long steps
// are skipped if nothing has changed since they passed, except in CI.

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { checkMemory } from './check-memory.ts';
import { runToEnd } from './processes.ts';

interface Step {
  name: string;
  args: string[];
  env?: Record<string, string>;
  /**
   * Whether the step is skipped after it has passed: only if all files that it reads belong to the
   * checkout or to packages.
   */
  isRemembered?: boolean;
}

const root = join(import.meta.dirname, '..');
const isCi = (process.env['CI'] ?? '') !== '';
const memory = isCi ? null : checkMemory(root, join(root, 'node_modules/.cache/check'));

const cores = availableParallelism();
const atOnce = Math.min(4, cores);

const tool = (name: string, script: string, ...args: string[]): Step => ({
  name,
  args: [`node_modules/${script}`, ...args],
});

// One thread, because several would each compute most types again. No --incremental, because
// TypeScript 7.0 would keep its old result when "lib" has changed.
const types = (folder: string): Step => ({
  ...tool(`types of ${folder}`, 'typescript/bin/tsc', '-p', folder, '--singleThreaded'),
  isRemembered: true,
});

const lint: Step = {
  ...tool('lint', 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
  // Other steps need the other cores.
  env: { GOMAXPROCS: String(Math.max(1, Math.floor(cores / 2))) },
  isRemembered: true,
};

// The longest steps come first.
const steps: Step[] = [
  lint,
  { name: 'size of the console', args: ['scripts/console-size.ts'] },
  types('test'),
  types('src/web'),
  types('src/server'),
  types('src/node'),
  types('src/runner'),
  tool(
    'architecture',
    'vitest/vitest.mjs',
    'run',
    'test/architecture.test.ts',
    'test/contract.test.ts',
  ),
  types('src/shared'),
  { name: 'patterns', args: ['scripts/check-patterns.ts'], isRemembered: true },
  // knip.json lists what is started by name. Knip does not report a type that only its own file
  // uses if an exported type mentions it.
  { ...tool('unused code', 'knip/bin/knip.js', '--no-progress'), isRemembered: true },
  tool('format', 'oxfmt/bin/oxfmt', '--check'),
];

const waiting = [...steps];
const failed: string[] = [];

async function workOff(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) await check(step);
}

async function check({ name, args, env, isRemembered = false }: Step): Promise<void> {
  if (isRemembered && memory?.has(name)) {
    console.log(`ok     ${name.padEnd(20)} passed before, and nothing has changed`);
    return;
  }
  const started = performance.now();
  const { code, output } = await runToEnd(process.execPath, args, env);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(20)} ${seconds} s`);
  if (code === 0) {
    if (isRemembered) memory?.remember(name);
  } else {
    failed.push(name);
    console.log(output.trimEnd());
  }
}

await Promise.all(Array.from({ length: atOnce }, workOff));
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}. "npm run format" puts the format right.`);
  process.exitCode = 1;
}
