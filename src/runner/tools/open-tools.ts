// Opens an execution environment of the kind tools: programs of a folder of the administrator, or of packages that
// this runner has installed. The programs of the runner are found behind them.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';
import { readSmallFile } from '../../node/fs/small-file.ts';
import { serverExecution, type Execution } from '../execution/execution.ts';
import { markUsed } from '../prepare/caches.ts';
import type { FilePreparation } from '../prepare/prepare.ts';
import { writeAnew } from '../workspace/workspace.ts';
import { builtTools } from './built-tools.ts';
import { toolsInFolder } from './folder-tools.ts';
import { titleOf, type Tools } from './tools.ts';

export async function openTools(
  preparation: FilePreparation,
  wanted: ExecutionSnapshot,
): Promise<Execution> {
  const { config } = preparation.ctx;
  const tools = await toolsOfRun(preparation, wanted);
  const { bin, environment, identity } = tools;
  return {
    ...serverExecution(config),
    path: `${bin}${delimiter}${config.path}`,
    identity,
    environment,
    variables: environment === null ? {} : { VIRTUAL_ENV: environment },
  };
}

/** A run keeps its programs until its end, also if a runner that resumes it would choose others by now. */
async function toolsOfRun(preparation: FilePreparation, wanted: ExecutionSnapshot): Promise<Tools> {
  const note = join(preparation.workspace.dir, 'tools.json');
  const before = readSmallFile(note);
  const known = before === null ? null : (JSON.parse(before) as Tools);
  const isKept = known !== null && existsSync(known.bin);
  const tools = isKept ? known : await findTools(preparation, wanted);
  if (!isKept) await writeAnew(note, JSON.stringify(tools), 0o600);
  if (tools.cached !== null) await markUsed(tools.cached);
  return tools;
}

async function findTools(preparation: FilePreparation, wanted: ExecutionSnapshot): Promise<Tools> {
  if (wanted.folder === '') return builtTools(preparation, wanted);
  const tools = await toolsInFolder(wanted);
  await preparation.say(`${titleOf(wanted)}: programs of ${tools.bin}`);
  return tools;
}
