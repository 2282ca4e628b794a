// A process that installs the packages of an execution environment as a runner does, for a test that kills it.
// Argument: the settings and the execution environment as JSON.

import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';
import type { RunnerConfig } from '../../src/runner/config/runner-config.ts';
import { builtTools } from '../../src/runner/tools/built-tools.ts';
import { makeWorkspace } from '../../src/runner/workspace/workspace.ts';
import type { FilePreparation } from '../../src/runner/prepare/prepare.ts';

const { config, wanted } = JSON.parse(process.argv[2] ?? '') as {
  config: RunnerConfig;
  wanted: ExecutionSnapshot;
};
const write = (lines: string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);
const preparation = {
  ctx: { config },
  workspace: await makeWorkspace(config, 99),
  signal: new AbortController().signal,
  say: async (line: string) => write([line]),
  sayAll: async (lines: string[]) => write(lines),
};
await builtTools(preparation as unknown as FilePreparation, wanted);
