import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from './helpers/app.ts';
import { answerClientError } from '../src/server/http/reply-error.ts';

/** What is answered to these bytes. */
async function ask(port: number, sent: string) {
  const socket = connect(port, '127.0.0.1');
  socket.write(sent);
  const answer = await text(socket);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: head.split(' ')[1], ...(JSON.parse(body) as { code: string; error: string }) };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

test('what is no request, or has too large headers, is refused with a code', async () => {
  const app = await testApp();
  const port = Number(new URL(await app.listen()).port);
  expect(await ask(port, 'hello\r\n\r\n')).toMatchObject({
    status: '400',
    code: 'request.not_http',
  });
  const large = `GET / HTTP/1.1\r\nHost: localhost\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`;
  expect(await ask(port, large)).toEqual({
    status: '431',
    code: 'request.headers_too_large',
    error: expect.stringContaining('Delete the cookies'),
    params: {},
  });
});

test('a body that does not arrive in time is refused with a code', async () => {
  // The limit of the server is a minute.
  const server = createServer({ requestTimeout: 200, connectionsCheckingInterval: 50 }, (request) =>
    request.resume().on('error', () => undefined),
  );
  server.on('clientError', answerClientError);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const begun = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf of it';
  expect(await ask(portOf(server), begun)).toEqual({
    status: '408',
    code: 'request.incomplete',
    error: 'The request did not arrive within 60 seconds. Send less at once.',
    params: { seconds: 60 },
  });
});

test('the server gives a request a minute, and answers in this way', async () => {
  const { app } = await testApp();
  expect(app.http.server.requestTimeout).toBe(60_000);
  expect(app.http.server.listeners('clientError').map(({ name }) => name)).toEqual([
    'bound answerClientError',
  ]);
});
