import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runnerApiEndpoints } from '#shared/api/runner-api.ts';
import { isServerUnavailable } from '../api/server-unavailable.ts';
import { createServerClient } from './server-client.ts';

const answer =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"total":1}';

/** A server that reads a request on each connection as often as it may, and then resets the connection. */
async function serve(answersEach: number[]) {
  const answered: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const number = answered.push(0) - 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => {
      if (answered[number] === (answersEach[number] ?? Infinity))
        return void socket.resetAndDestroy();
      answered[number] = (answered[number] ?? 0) + 1;
      socket.write(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    ask: createServerClient({ url: `http://127.0.0.1:${port}` }, 'sbc_of_a_test'),
    answered,
  };
}

const body = { lease: 1, from: 1, lines: [], spool_offset: 0 };
const args = { params: { task_id: 1 }, body };

test('a request on a kept connection that the server closes at that moment is sent again', async () => {
  const { ask: callServer, answered } = await serve([1]);
  for (let count = 0; count < 3; count += 1) {
    expect(await callServer(runnerApiEndpoints.log, args)).toEqual({ total: 1 });
  }
  expect(answered).toEqual([1, 2]);
});

test('a server that closes each new connection counts as away', async () => {
  const { ask: callServer, answered } = await serve([1, 0, 0]);
  expect(await callServer(runnerApiEndpoints.log, args)).toEqual({ total: 1 });
  const failure = await callServer(runnerApiEndpoints.log, args).catch((error: unknown) => error);
  expect(isServerUnavailable(failure)).toBe(true);
  expect(answered).toEqual([1, 0]);
});

test('many requests at once share a few connections', async () => {
  const { ask: callServer, answered } = await serve([]);
  const all = Array.from({ length: 200 }, () => callServer(runnerApiEndpoints.log, args));
  expect(await Promise.all(all)).toEqual(all.map(() => ({ total: 1 })));
  expect(answered.length).toBeLessThanOrEqual(32);
});
