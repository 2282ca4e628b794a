import { request as send } from 'node:http';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../../test/helpers/until.ts';
import { openRequests } from './access-log.ts';

test('a request whose body is too large is no open request any more', async () => {
  const app = Fastify({ bodyLimit: 1000 });
  onTestFinished(() => app.close());
  const list = openRequests(app);
  app.post('/', async () => 'fine');
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  // The connection stays open, and the rest of the body is never sent.
  const headers = { 'content-type': 'application/json', 'content-length': '1000000' };
  const request = send(address, { method: 'POST', headers });
  request.on('error', () => undefined);
  const status = new Promise<number | undefined>((resolve) =>
    request.once('response', ({ statusCode }) => resolve(statusCode)),
  );
  request.write('{');
  expect(await status).toBe(413);
  await until(async () => list().length === 0);
  request.destroy();
});
