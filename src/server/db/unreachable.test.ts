import { Client } from 'pg';
import { expect, test } from 'vitest';
import { cutLine } from '../../../test/helpers/cut-line.ts';
import { freshPostgres } from '../../../test/helpers/postgres.ts';
import { isUnreachable } from './unreachable.ts';

/** What a statement fails with. */
async function failure(url: string, statement: string, meanwhile: () => void = () => undefined) {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const running = client.query(statement);
    meanwhile();
    await running;
    return null;
  } catch (error) {
    return error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

test('a database that is away, goes away or is cut off is told from a statement that is wrong', async () => {
  const { url, drop } = await freshPostgres();
  const line = await cutLine(Number(new URL(url).port));
  const cutUrl = new URL(url);
  cutUrl.port = String(line.port);
  const ended = `select pg_terminate_backend(pg_backend_pid())`;
  const cases: [unknown, boolean][] = [
    [await failure('postgres://127.0.0.1:1/none', 'select 1'), true],
    [await failure('postgres://nowhere.invalid/none', 'select 1'), true],
    [await failure(url, ended), true],
    [await failure(cutUrl.href, 'select pg_sleep(60)', line.cut), true],
    [await failure(cutUrl.href, 'select 1'), true],
    [await failure(url, 'select nonsense'), false],
    [await failure(url, 'select 1 / 0'), false],
  ];
  expect(cases.map(([error]) => error instanceof Error)).toEqual(cases.map(() => true));
  expect(cases.map(([error]) => isUnreachable(error))).toEqual(cases.map(([, away]) => away));
  const wrapped = new Error('The log of the task cannot be stored', { cause: cases[0]?.[0] });
  expect(isUnreachable(wrapped)).toBe(true);
  await drop();
});
