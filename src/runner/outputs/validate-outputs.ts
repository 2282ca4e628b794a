// Validates outputs: names, sizes, and numbers that all programs parse alike.

import {
  MAX_OUTPUT_DEPTH,
  MAX_OUTPUTS,
  MAX_OUTPUTS_KIB,
  MAX_VALUE_KIB,
  outputName,
  type OutputValue,
} from '#shared/api/task-outputs.ts';
import { isDeeperThan } from '#shared/json-depth.ts';
import type { Output } from './parse-outputs.ts';
import { WrongOutputs } from './invalid-outputs.ts';

const kib = 1024;
/** Ansible 2.22 and later replace secrets by this text. */
const placeholder = '$REDACTED$';
/** How many characters of a name a message quotes. */
const quoted = 100;

/** The last output of each name; throws if one is invalid. */
export function validateOutputs(all: Output[]): Output[] {
  const byName = new Map(all.map((output) => [output.name, output]));
  if (byName.size > MAX_OUTPUTS) {
    throw new WrongOutputs('failure.outputs_count', { most: MAX_OUTPUTS });
  }
  const outputs = [...byName.values()];
  let bytes = 0;
  for (const output of outputs) bytes += sizeOf(output);
  if (bytes > MAX_OUTPUTS_KIB * kib) throw tooLarge();
  return outputs;
}

export const tooLarge = (): WrongOutputs =>
  new WrongOutputs('failure.outputs_size', { most: MAX_OUTPUTS_KIB });

function sizeOf({ name, value }: Output): number {
  if (!outputName.test(name)) {
    throw new WrongOutputs('failure.outputs_name', { name: name.slice(0, quoted).toWellFormed() });
  }
  const text = JSON.stringify(value);
  if (isDeeperThan(MAX_OUTPUT_DEPTH, text)) {
    throw new WrongOutputs('failure.outputs_depth', { most: MAX_OUTPUT_DEPTH });
  }
  if (text.includes(placeholder)) throw new WrongOutputs('failure.outputs_masked', { name });
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_VALUE_KIB * kib) {
    throw new WrongOutputs('failure.outputs_value_size', { name, most: MAX_VALUE_KIB });
  }
  if (!isExact(value)) throw new WrongOutputs('failure.outputs_number', { name });
  return Buffer.byteLength(name) + bytes;
}

/** Whether all numbers are exact: longer integers lose their last digits. */
function isExact(value: OutputValue): boolean {
  if (typeof value === 'number') {
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  }
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isExact);
}
