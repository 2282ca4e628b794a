// Reports the outputs of a task so far: those that Ansible has set, and the file of outputs, which overrides them by
// name. Secret values are masked from then on.

import type { OutputValue, ToldOutput } from '#shared/api/task-outputs.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { Failure } from '#shared/catalogue/task-failures.ts';
import type { RunContext } from '../api/runner-api.ts';
import type { Mask } from '../log/mask.ts';
import { outputsFile, type Workspace } from '../workspace/workspace.ts';
import {
  validateOutputs,
  tooLarge,
  parseOutputs,
  type Output,
  WrongOutputs,
} from './parse-outputs.ts';
import { readOutputsFile } from './outputs-file.ts';

/** The outputs that Ansible has set; null: they exceed the limit. */
export type SetOutputs = Output[] | null;

interface Recording {
  ctx: RunContext;
  task: RunnerTask;
  workspace: Workspace;
  mask: Mask;
  /** Masks further secrets in the log from now on. */
  hide: (secrets: string[]) => Promise<void>;
  /** Whether earlier programs of the run may have set outputs. */
  isLater: boolean;
}

/** Null: success. Invalid outputs are not recorded. */
export async function recordOutputs(run: Recording, set: SetOutputs): Promise<Failure | null> {
  try {
    const outputs = await findOutputs(run, set);
    if (outputs.length === 0 && !run.isLater) return null;
    const recorded = outputs.map((output) => toldOutput(output, run.mask));
    await run.ctx.runnerApi.recordOutputs(run.task, recorded);
    return null;
  } catch (error) {
    if (error instanceof WrongOutputs) return error.failure;
    throw error;
  }
}

async function findOutputs({ workspace, hide }: Recording, set: SetOutputs): Promise<Output[]> {
  if (set === null) throw tooLarge();
  const bytes = await readOutputsFile(outputsFile(workspace));
  const all = [...set, ...(bytes ? parseOutputs(bytes) : [])];
  const secrets = all.filter(({ isSecret }) => isSecret).flatMap(({ value }) => textsIn(value));
  // Includes secrets that a later line overrides.
  if (secrets.length > 0) await hide(secrets);
  return validateOutputs(all);
}

function textsIn(value: OutputValue): string[] {
  if (typeof value === 'object') return Object.values(value ?? {}).flatMap(textsIn);
  return typeof value === 'boolean' ? [] : [String(value)];
}

const toldOutput = ({ name, value, isSecret }: Output, mask: Mask): ToldOutput =>
  isSecret
    ? { name, value: null, secret: JSON.stringify(value) }
    : { name, value: masked(value, mask), secret: null };

function masked(value: OutputValue, mask: Mask): OutputValue {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number')
    return mask(String(value)) === String(value) ? value : mask(String(value));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => masked(one, mask));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [mask(name), masked(one, mask)]),
  );
}
