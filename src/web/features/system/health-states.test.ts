import { expect, test } from 'vitest';
import { ApiError } from '../../lib/api.ts';
import { healthOfError } from './health-states.ts';

test('a refusal tells which part is down', () => {
  const params = {
    database: 'ok',
    writing: 'ok',
    disk: 'full',
    clock: 'wrong',
    queue: 'failed',
    runner: 'off',
    runners: 'silent',
    event_loop: 'slow',
    backups: 'late',
    follow_ups: 'ok',
    control_groups: 'off',
    proxies: 'wrong',
    ansible: 'new',
  };
  const refusal = new ApiError(503, 'Not ready', { code: 'system.not_ready', params });
  expect(healthOfError(refusal)).toEqual(params);
});

test('what it does not know is down', () => {
  const refusal = new ApiError(503, '', { code: 'system.not_ready', params: { queue: 'odd' } });
  expect(healthOfError(refusal)).toEqual({
    database: 'failed',
    writing: 'failed',
    disk: 'failed',
    clock: 'failed',
    queue: 'failed',
    runner: 'failed',
    runners: 'failed',
    event_loop: 'failed',
    backups: 'failed',
    follow_ups: 'failed',
    control_groups: 'failed',
    proxies: 'failed',
    ansible: 'failed',
  });
});

test('other failures tell nothing of the parts', () => {
  expect(healthOfError(new ApiError(0, ''))).toBeNull();
  expect(healthOfError(new Error('odd'))).toBeNull();
});
