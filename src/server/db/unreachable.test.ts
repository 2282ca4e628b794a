import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { cutLine } from '../../../test/helpers/cut-line.ts';
import { freshPostgres } from '../../../test/helpers/postgres.ts';
import { openDatabase } from './open.ts';
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

test('whoever waits too long for a connection, since all are busy, is told so', async () => {
  const { url, drop } = await freshPostgres();
  const db = openDatabase(url, 500);
  onTestFinished(async () => {
    await db.destroy();
    await drop();
  });
  const free = Promise.withResolvers<void>();
  const holding: Promise<void>[] = [];
  const hold = () =>
    new Promise<void>((held, failed) => {
      const connection = db.connection().execute(async () => {
        held();
        await free.promise;
      });
      connection.then(() => undefined, failed);
      holding.push(connection.catch(() => undefined));
    });
  // One after the other, and again: a busy machine does not connect in time at once.
  for (let held = 0, tries = 0; held < 10; tries += 1) {
    const failed = await hold().then(
      () => null,
      (reason: unknown) => reason,
    );
    if (failed === null) held += 1;
    else if (tries === 100) throw failed;
  }
  const error = await sql`select 1`.execute(db).catch((reason: unknown) => reason);
  expect([error instanceof Error, isUnreachable(error)]).toEqual([true, true]);
  free.resolve();
  await Promise.all(holding);
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
});
