// Only on PostgreSQL: it is about a database of another machine that is away.

import { expect, test } from 'vitest';
import { testApp } from './helpers/app.ts';
import { cutLine } from './helpers/cut-line.ts';
import { freshPostgres } from './helpers/postgres.ts';

test('requests are answered with 503 and when to ask again while the database is away', async () => {
  const { url } = await freshPostgres('tables');
  const line = await cutLine(Number(new URL(url).port));
  const through = new URL(url);
  through.port = String(line.port);
  const app = await testApp({ engine: 'postgres', config: { databaseUrl: through.href } });
  const address = await app.listen();
  const headers = { authorization: 'Bearer of nobody' };
  const ask = () => fetch(`${address}/api/projects`, { headers });
  expect((await ask()).status).toBe(401);
  line.cut();
  for (let time = 0; time < 3; time += 1) {
    const answer = await ask();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toMatchObject({ code: 'system.database_unavailable' });
  }
  line.mend();
  expect((await ask()).status).toBe(401);
});
