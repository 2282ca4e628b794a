// Parses the file of outputs: lines, or one JSON object if it begins with `{`, which no line can begin with. Errors
// name the line but never quote it, because it may be a secret.

import {
  MAX_OUTPUT_DEPTH,
  type OutputValue,
  MAX_OUTPUTS,
  MAX_OUTPUTS_KIB,
  MAX_VALUE_KIB,
  outputName,
} from '#shared/api/task-outputs.ts';
import { isDeeperThan } from '#shared/json-depth.ts';
import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';

export interface Output {
  name: string;
  value: OutputValue;
  isSecret: boolean;
}

/** In their order; duplicates are kept. */
export function parseOutputs(bytes: Buffer): Output[] {
  const text = textOf(bytes);
  return /^\s*\{/.test(text) ? fromJson(text) : fromLines(text);
}

const newline = 10;

function textOf(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // The line is found below.
  }
  throw new WrongOutputs('failure.outputs_text', { line: lineWithoutText(bytes) });
}

/** The number of the first line that is not UTF-8 text. */
function lineWithoutText(bytes: Buffer): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for (let at = 0; at < bytes.length; line += 1) {
    const found = bytes.indexOf(newline, at);
    const end = found < 0 ? bytes.length : found;
    try {
      if (decoder.decode(bytes.subarray(at, end)).includes('\0')) return line;
    } catch {
      return line;
    }
    at = end + 1;
  }
  return line;
}

const secretMark = 'secret ';
const plainLine = /^(secret )?([A-Za-z_]\w*)=(.*)$/s;
const longLine = /^(secret )?([A-Za-z_]\w*)<<(\S+)$/;

function fromLines(text: string): Output[] {
  const lines = text.split(/\r?\n/);
  const found: Output[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line === '') continue;
    const plain = plainLine.exec(line);
    const long = plain ? null : longLine.exec(line);
    const [, mark, name = '', rest = ''] = plain ?? long ?? [];
    if (!plain && !long) throw new WrongOutputs('failure.outputs_line', { line: index + 1 });
    let value = rest;
    if (long) {
      const end = lines.indexOf(rest, index + 1);
      if (end < 0) throw new WrongOutputs('failure.outputs_unended', { line: index + 1 });
      value = lines.slice(index + 1, end).join('\n');
      index = end;
    }
    found.push({ name, value, isSecret: mark !== undefined });
  }
  return found;
}

function fromJson(text: string): Output[] {
  if (isDeeperThan(MAX_OUTPUT_DEPTH + 1, text)) {
    throw new WrongOutputs('failure.outputs_depth', { most: MAX_OUTPUT_DEPTH });
  }
  const values = jsonOf(text) as Record<string, OutputValue>;
  return Object.entries(values).map(([key, value]) => {
    const isSecret = key.startsWith(secretMark);
    const name = isSecret ? key.slice(secretMark.length) : key;
    return { name, value, isSecret };
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongOutputs('failure.outputs_json', { line: wrongLine(text) });
  }
}

/** The number of the line with the syntax error, by binary search for the longest valid prefix. */
function wrongLine(text: string): number {
  const lines = text.split('\n');
  let good = 0;
  let bad = lines.length;
  while (good + 1 < bad) {
    const middle = Math.floor((good + bad) / 2);
    if (isBegun(`${lines.slice(0, middle).join('\n')}\n`)) good = middle;
    else bad = middle;
  }
  return bad;
}

/** Whether a text is JSON or the beginning of JSON, so that the parser complains about its end. */
function isBegun(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const [, at] = /at position (\d+)/.exec(message) ?? [];
    return message.startsWith('Unexpected end') || Number(at) >= text.length;
  }
}

// Validates outputs: names, sizes, and numbers that all programs parse alike.

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

/** The outputs of a task are invalid; the failure has the place and the reason. */
export class WrongOutputs extends Error {
  readonly failure: Failure;

  constructor(code: Failure['code'], params: Failure['params'] = {}) {
    super(taskFailures.message({ code, params }));
    this.failure = { code, params };
  }
}
