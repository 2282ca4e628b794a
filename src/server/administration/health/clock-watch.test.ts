// Only on SQLite: the clock of this machine does not depend on the database.

import { expect, test } from 'vitest';
import { watchedLog } from '../../../../test/helpers/kept-secrets.ts';
import { logOf } from '../../../../test/helpers/kept-secrets.ts';
import { ClockWatch } from './clock-watch.ts';

const offsetNow = (): number => Date.now() - performance.now();

test('a jump of the clock is logged once, and told for a while', () => {
  const log = watchedLog();
  const printed = logOf(log);
  const watch = new ClockWatch({ clock: { now: () => new Date() }, log });
  watch.look();
  expect([watch.state, printed()]).toEqual(['ok', '']);
  watch.look(offsetNow() - 3_600_000);
  watch.look(offsetNow() - 3_600_000);
  expect(watch.state).toBe('wrong');
  expect(printed().trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(printed())).toMatchObject({
    level: 'warn',
    seconds: -3600,
    msg: 'the clock of this machine has jumped',
  });
});

test.each([
  ['1970-01-01T00:00:00Z', 'failed'],
  [new Date(Date.now() + 90_000).toISOString(), 'wrong'],
  [new Date(Date.now() - 90_000).toISOString(), 'wrong'],
  [new Date(Date.now() + 5000).toISOString(), 'ok'],
])('a clock that says %s is %s', (time, state) => {
  const clock = { now: () => new Date(time) };
  expect(new ClockWatch({ clock, log: watchedLog() }).state).toBe(state);
});
