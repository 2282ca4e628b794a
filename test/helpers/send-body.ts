// A thread that posts one body of JSON and tells the status, or null if the connection was closed.

import { request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/** `piece` as many times as `count` says, between `before` and `after`. */
export interface RepeatedText {
  before?: string;
  piece: string;
  count: number;
  after?: string;
}

const { url, headers, body } = workerData as { url: string; headers: object; body: RepeatedText };
const { before = '', piece, count, after = '' } = body;
const tell = (status: number | null) => parentPort?.postMessage(status);
const sent = request(url, {
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
});
sent.on('response', (response) => {
  response.resume();
  tell(response.statusCode ?? null);
});
sent.on('error', () => tell(null));
sent.end(before + piece.repeat(count) + after);
