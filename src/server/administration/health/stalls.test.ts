// Only on SQLite: the event loop does not depend on the database.

import { expect, test } from 'vitest';
import { system } from '#shared/api/system.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { logOf } from '../../../../test/helpers/kept-secrets.ts';
import { until } from '../../../../test/helpers/until.ts';

function standStill(milliseconds: number): void {
  for (const begun = performance.now(); performance.now() - begun < milliseconds;);
}

test('a stall of the event loop is logged with what was under way, and shows in the health', async () => {
  const app = await testApp({ runner: true });
  const { path } = app.ctx.config;
  let isStill = false;
  Object.defineProperty(app.ctx.config, 'path', {
    get() {
      // Blocks the event loop once, during the request that asks for the clock.
      if (!isStill) standStill(2000);
      isStill = true;
      return path;
    },
  });
  const printed = logOf(app.ctx.log);
  await app.admin.raw({ url: '/api/info?secret=1' });
  const line = await until(() =>
    printed()
      .split('\n')
      .find((text) => text.includes('event loop blocked') && text.includes('/api/info')),
  );
  expect(JSON.parse(line ?? '')).toMatchObject({
    level: 'warn',
    ms: expect.toSatisfy((ms: number) => ms >= 1000),
    cpu_ms: expect.any(Number),
    requests: expect.arrayContaining([
      { method: 'GET', path: '/api/info', ms: expect.any(Number), request_id: expect.any(String) },
    ]),
    tasks: [],
  });
  expect(line).not.toContain('secret');
  const health = await app.nobody.call(system.health, {});
  expect(health).toMatchObject({ status: 'ok', event_loop: 'slow' });
});
