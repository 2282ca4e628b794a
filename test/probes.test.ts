// Slow: servers are started, and end.
// What probes of Kubernetes, systemd and load balancers see of a server that ends.

import { expect, onTestFinished, test } from 'vitest';
import { startServer } from './helpers/server.ts';
import { until } from './helpers/until.ts';

test('a server that is told to end answers on for SIGNALBOX_DRAIN_SECONDS, and is not ready', async () => {
  const server = await startServer({ env: { SIGNALBOX_DRAIN_SECONDS: '300' } });
  onTestFinished(() => server.stop());
  const ask = (path: string): Promise<Response> => fetch(`${server.address}${path}`);
  expect((await ask('/readyz')).status).toBe(200);
  server.child.kill('SIGTERM');
  await until(async () => (await ask('/readyz')).status === 503);
  expect(await (await ask('/readyz')).json()).toEqual({
    status: 'not_ready',
    reasons: ['draining'],
  });
  expect((await ask('/healthz')).status).toBe(200);
  expect((await ask('/api/ping')).status).toBe(200);
  // A second signal means at once.
  expect(await server.end('SIGTERM')).toBe(0);
});

test('probes are in the access log at the level debug only', async () => {
  const env = { SIGNALBOX_ACCESS_LOG: 'on', SIGNALBOX_LOG_LEVEL: 'info' };
  const [quiet, loud] = await Promise.all([
    startServer({ env }),
    startServer({ env: { ...env, SIGNALBOX_LOG_LEVEL: 'debug' } }),
  ]);
  for (const { address } of [quiet, loud]) {
    for (const path of ['/healthz', '/readyz', '/api/ping']) await fetch(`${address}${path}`);
  }
  onTestFinished(() => Promise.all([quiet.stop(), loud.stop()]).then(() => undefined));
  await until(() => [quiet, loud].every((one) => one.printedErrors().includes('/api/ping')));
  expect(quiet.printedErrors()).not.toMatch(/healthz|readyz/);
  expect(loud.printedErrors()).toMatch(/"path":"\/healthz"/);
  expect(loud.printedErrors()).toMatch(/"path":"\/readyz"/);
});
