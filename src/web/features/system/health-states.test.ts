import { expect, test } from 'vitest';
import { ApiError } from '../../lib/api.ts';
import { healthOfError } from './health-states.ts';

test('a refusal tells which part is down', () => {
  const params = {
    database: 'ok',
    disk: 'full',
    queue: 'failed',
    runner: 'off',
    event_loop: 'slow',
  };
  const refusal = new ApiError(503, 'Not ready', { code: 'system.not_ready', params });
  expect(healthOfError(refusal)).toEqual(params);
});

test('what it does not know is down', () => {
  const refusal = new ApiError(503, '', { code: 'system.not_ready', params: { queue: 'odd' } });
  expect(healthOfError(refusal)).toEqual({
    database: 'failed',
    disk: 'failed',
    queue: 'failed',
    runner: 'failed',
    event_loop: 'failed',
  });
});

test('other failures tell nothing of the parts', () => {
  expect(healthOfError(new ApiError(0, ''))).toBeNull();
  expect(healthOfError(new Error('odd'))).toBeNull();
});
