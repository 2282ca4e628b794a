import { expect, test } from 'vitest';
import { options } from '#shared/api/options.ts';
import { system } from '#shared/api/system.ts';
import { testApp } from '../../../../test/helpers/app.ts';

test('options are kept by key, and the last value counts', async () => {
  const app = await testApp();
  expect(await app.admin.call(options.list, {})).toEqual({});
  const key = 'a'.repeat(255);
  for (const body of [
    { key: 'tools.colour', value: 'red' },
    { key: 'tools.colour', value: 'green' },
    { key: 'constructor', value: '' },
    { key, value: '🚂'.repeat(500) },
  ]) {
    const answer = await app.admin.ask(options.set, { body });
    expect([answer.status, answer.body]).toEqual([200, body]);
  }
  expect(await app.admin.call(options.list, {})).toEqual({
    'tools.colour': 'green',
    constructor: '',
    [key]: '🚂'.repeat(500),
  });
});

test('an option with a name or a value that is not one is refused', async () => {
  const app = await testApp();
  for (const body of [
    { key: '', value: 'x' },
    { key: 'a b', value: 'x' },
    { key: '__proto__', value: 'x' },
    { key: 'a'.repeat(256), value: 'x' },
    { key: 'a', value: 'x'.repeat(1001) },
    { key: 'a', value: 'a\u0000' },
  ]) {
    expect([body, (await app.admin.ask(options.set, { body })).status]).toEqual([body, 400]);
  }
  expect(await app.admin.call(options.list, {})).toEqual({});
});

test('an option with the name of a setting changes nothing in the server', async () => {
  const app = await testApp();
  const before = structuredClone(app.ctx.config);
  const info = await app.admin.call(system.info, {});
  for (const key of ['web_host', 'max_parallel_tasks', 'apps.bash.path', 'master_key_check']) {
    await app.admin.call(options.set, { body: { key, value: '/tmp/other' } });
  }
  expect(app.ctx.config).toEqual(before);
  expect(await app.admin.call(system.info, {})).toEqual(info);
});
