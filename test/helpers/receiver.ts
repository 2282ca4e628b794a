// Runs a server on this machine that receives alerts, and answers as the test chooses.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Chooses the answer from now on; at first it is status 200. */
  answer: (how: Responder) => void;
}

type Responder = (response: ServerResponse, request: Received) => void;

/**
 * Starts the receiver. It ends with the test, and closes connections that still wait for an answer.
 */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answer: Responder = (response) => void response.end('{"ok":true}');
  const server = createServer((request, response) => {
    void text(request)
      .then((body) => {
        const { method = '', url: path = '', headers } = request;
        const one = { method, path, headers, body };
        received.push(one);
        answer(response, one);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer(how) {
      answer = how;
    },
  };
}
