import { expect, test } from 'vitest';
import { AppError, checkAll, fail, failFields, fieldError } from './errors.ts';

const refuse = (path: string) => () => {
  throw failFields(fieldError(path, 'field.reference'));
};
const notFound = () => {
  throw fail('key.not_found');
};

async function codesOf(checks: (() => unknown)[]): Promise<string[]> {
  const error: unknown = await checkAll(checks).catch((one: unknown) => one);
  if (!(error instanceof AppError)) throw new Error('Nothing was refused.', { cause: error });
  return [error.code, ...error.fields.map(({ path }) => path)];
}

test('the fields that several checks refuse are named together', async () => {
  await checkAll([() => undefined, () => Promise.resolve()]);
  const checks = [refuse('one'), () => undefined, refuse('two')];
  expect(await codesOf(checks)).toEqual(['request.invalid', 'one', 'two']);
});

test('another refusal is thrown only when no field was refused before it', async () => {
  expect(await codesOf([notFound, refuse('one')])).toEqual(['key.not_found']);
  expect(await codesOf([refuse('one'), notFound, refuse('two')])).toEqual([
    'request.invalid',
    'one',
  ]);
});

test('what is no refusal ends the checks', async () => {
  const broken = () => {
    throw new TypeError('a bug');
  };
  await expect(checkAll([refuse('one'), broken])).rejects.toThrow('a bug');
});
