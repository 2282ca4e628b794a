// Slow: it has servers and a database of its own, which most people do without.
// Several servers, as administrators see them in the console.

import { onTestFinished, expect, test } from 'vitest';
import { randomBytes } from 'node:crypto';
import type { Runner } from '#shared/api/runners.ts';
import { expectAccessibleInBoth, useOwnConsole } from '../helpers/console.ts';
import { freshPostgres } from '../helpers/postgres.ts';
import { startServer } from '../helpers/server.ts';

const masterKey = randomBytes(32).toString('base64');
let databaseUrl = '';

// This file has servers of its own, which share a PostgreSQL database.
const console = useOwnConsole(async () => {
  const { url } = await freshPostgres();
  databaseUrl = url;
  return { SIGNALBOX_DATABASE_URL: url, SIGNALBOX_MASTER_KEY: masterKey, SIGNALBOX_ROLE: 'web' };
});

/** Starts a server that runs tasks, beside the one that shows the console. */
async function startRunner() {
  const server = await startServer({
    env: {
      SIGNALBOX_DATABASE_URL: databaseUrl,
      SIGNALBOX_MASTER_KEY: masterKey,
      SIGNALBOX_ROLE: 'runner',
    },
  });
  onTestFinished(() => server.stop());
  return server;
}

const list = () => console.call<Runner[]>('GET', '/api/runners');

test('an administrator drains a server, gives it tasks again, and forgets it', async () => {
  const runner = await startRunner();
  const page = await console.enter();
  await page.goto(`${console.server.address}/runners`);
  const [web, row] = [page.getByRole('row').nth(1), page.getByRole('row').nth(2)];
  await web.getByText('Web only', { exact: true }).waitFor();
  await row.getByText('Tasks only', { exact: true }).waitFor();
  await row.getByText('Ready').waitFor();
  expect(await page.getByRole('button', { name: /^Drain / }).count()).toBe(1);
  await expectAccessibleInBoth(page);

  await row.getByRole('button', { name: /^Drain / }).press('Enter');
  await page.getByText(/is draining: running tasks continue/).waitFor();
  await row.getByText('Draining').waitFor();
  expect((await list())[1]).toMatchObject({ draining: true, active: false });
  await row.getByRole('button', { name: /^Resume .*$/ }).press('Enter');
  await row.getByText('Ready').waitFor();
  expect((await list())[1]).toMatchObject({ draining: false, active: true });

  await runner.stop();
  await row.getByText('Stopped').waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessibleInBoth(page);
  await row.getByRole('button', { name: /^Forget / }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Forget this server?' });
  await question.getByText('it joins the list again').waitFor();
  await expectAccessibleInBoth(page);
  await question.getByRole('button', { name: 'Forget', exact: true }).click();
  await page.getByText(/ forgotten$/).waitFor();
  await row.getByText('Stopped').waitFor({ state: 'detached' });
  expect(await list()).toMatchObject([{ role: 'web' }]);
});
