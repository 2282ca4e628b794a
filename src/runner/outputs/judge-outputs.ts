// What a task may hand on: names, sizes and numbers that everybody understands in the same way.

import {
  mostOutputDepth,
  mostOutputs,
  mostOutputsKiB,
  mostValueKiB,
  outputName,
  type OutputValue,
} from '#shared/api/task-outputs.ts';
import { isDeeperThan } from '#shared/json-depth.ts';
import type { Output } from './parse-outputs.ts';
import { WrongOutputs } from './wrong-outputs.ts';

const kib = 1024;
/** What Ansible 2.22 and later show in the place of a secret. */
const placeholder = '$REDACTED$';
/** As much of a name as a message quotes. */
const quoted = 100;

/** Each output once, the last of its name; throws at what is not allowed. */
export function judgeOutputs(all: Output[]): Output[] {
  const byName = new Map(all.map((output) => [output.name, output]));
  if (byName.size > mostOutputs) {
    throw new WrongOutputs('failure.outputs_count', { most: mostOutputs });
  }
  const outputs = [...byName.values()];
  let bytes = 0;
  for (const output of outputs) bytes += sizeOf(output);
  if (bytes > mostOutputsKiB * kib) throw tooLarge();
  return outputs;
}

export const tooLarge = (): WrongOutputs =>
  new WrongOutputs('failure.outputs_size', { most: mostOutputsKiB });

function sizeOf({ name, value }: Output): number {
  if (!outputName.test(name)) {
    throw new WrongOutputs('failure.outputs_name', { name: name.slice(0, quoted).toWellFormed() });
  }
  const text = JSON.stringify(value);
  if (isDeeperThan(mostOutputDepth, text)) {
    throw new WrongOutputs('failure.outputs_depth', { most: mostOutputDepth });
  }
  if (text.includes(placeholder)) throw new WrongOutputs('failure.outputs_masked', { name });
  const bytes = Buffer.byteLength(text);
  if (bytes > mostValueKiB * kib) {
    throw new WrongOutputs('failure.outputs_value_size', { name, most: mostValueKiB });
  }
  if (!isExact(value)) throw new WrongOutputs('failure.outputs_number', { name });
  return Buffer.byteLength(name) + bytes;
}

/** Whether all numbers in it are as they were written: longer integers lose their last digits. */
function isExact(value: OutputValue): boolean {
  if (typeof value === 'number') {
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  }
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isExact);
}
