// Receives traces as a collector of OpenTelemetry does, in the JSON form of OTLP over HTTP.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}

export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  bodies: string[];
  headers: IncomingHttpHeaders[];
  /** How many requests have come, answered or not. */
  count: () => number;
}

interface Body {
  resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
}

/** `status` is that of each answer; null: it never answers. */
export async function startOtlpReceiver(status: number | null = 200): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    headers.push({ ...request.headers, path: request.url ?? '' });
    if (status === null) return;
    void readBody(request).then((body) => {
      bodies.push(body);
      const { resourceSpans } = JSON.parse(body) as Body;
      for (const { scopeSpans } of resourceSpans) {
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const ready = once(server, 'listening');
  server.listen(0, '127.0.0.1');
  await ready;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, bodies, headers, count: () => count };
}

async function readBody(request: Parameters<typeof text>[0] & { headers: IncomingHttpHeaders }) {
  if (request.headers['content-encoding'] !== 'gzip') return text(request);
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return gunzipSync(Buffer.concat(pieces)).toString();
}
