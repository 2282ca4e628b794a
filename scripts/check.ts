// `npm run check`: everything that can be said about the code without running the product.

import { runToEnd } from './processes.ts';

interface Step {
  name: string;
  command: string;
  args: string[];
}

const atOnce = 2;

function node(name: string, script: string, ...args: string[]): Step {
  return { name, command: process.execPath, args: [`node_modules/${script}`, ...args] };
}

const types = (folder: string): Step =>
  node(`types of ${folder}`, 'typescript/bin/tsc', '-p', folder);

const steps: Step[] = [
  node('lint', 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
  node(
    'architecture',
    'vitest/vitest.mjs',
    'run',
    '--project=server',
    'test/architecture.test.ts',
    'test/contract.test.ts',
  ),
  { name: 'size of the console', command: process.execPath, args: ['scripts/console-size.ts'] },
  types('src/shared'),
  types('src/server'),
  types('src/web'),
  types('test'),
  node('format', 'oxfmt/bin/oxfmt', '--check'),
];

const waiting = [...steps];
const failed: string[] = [];

async function workOff(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const started = performance.now();
    const { code, output } = await runToEnd(step.command, step.args);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${step.name.padEnd(20)} ${seconds} s`);
    if (code !== 0) {
      failed.push(step.name);
      console.log(output.trimEnd());
    }
  }
}

await Promise.all(Array.from({ length: atOnce }, workOff));
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}. "npm run format" puts the format right.`);
  process.exitCode = 1;
}
