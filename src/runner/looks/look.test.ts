import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/helpers/app.ts';
import { until } from '../../../test/helpers/until.ts';
import { look } from './look.ts';

test('two look at once, some wait, and more are turned away', async () => {
  const { ctx } = await testApp();
  const end = Promise.withResolvers<undefined>();
  let busy = 0;
  const work = async () => {
    busy += 1;
    await end.promise;
  };
  const looks = Array.from({ length: 16 }, () => look(ctx, work));
  await until(() => busy === 2);
  await expect(look(ctx, work)).rejects.toMatchObject({ code: 'request.rate_limited' });
  expect(busy).toBe(2);
  end.resolve(undefined);
  await Promise.all(looks);
  expect(busy).toBe(16);
  await look(ctx, work);
  expect(await readdir(join(ctx.config.dataDir, 'runs'))).toEqual([]);
});

test('one that waits too long for its turn is told so, and never begins', async () => {
  const { ctx } = await testApp();
  const end = Promise.withResolvers<undefined>();
  const before = [1, 2].map(() => look(ctx, () => end.promise));
  let hasBegun = false;
  const late = look(ctx, async () => void (hasBegun = true), 20);
  await expect(late).rejects.toMatchObject({ code: 'request.too_slow' });
  end.resolve(undefined);
  await Promise.all(before);
  expect(hasBegun).toBe(false);
});
