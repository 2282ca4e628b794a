import { describe, expect, test } from 'vitest';
import { findFault, findTimingError, listNext, listPassed, nextDue } from './cron.ts';

const utc = (cron_format: string) => ({ cron_format, time_zone: 'UTC' });

describe('a cron text', () => {
  test.each([
    ['* * * * *'],
    ['*/5 0-6,12 1,15 JAN-MAR MON-FRI'],
    ['  0   3 * * 7  '],
    ['0 0 L * *'],
    ['0 0 29 2 *'],
    ['0/5 * * * *'],
    ['5/15,50 2/6 1/10 3/3 1/2'],
    ['@hourly'],
    ['@daily'],
    ['@midnight'],
    ['@weekly'],
    ['@monthly'],
    ['@yearly'],
    ['@annually'],
    ['@every 1h'],
    [' @every 1h30m '],
    ['@every 90s'],
  ])('%s is taken', (text) => {
    expect(findFault(utc(text))).toBeNull();
  });

  test.each([
    ['', 'fields', ''],
    ['* * * *', 'fields', '* * * *'],
    ['0 * * * * *', 'fields', '0 * * * * *'],
    ['TZ=UTC 0 0 * * *', 'fields', 'TZ=UTC 0 0 * * *'],
    ['@reboot', 'fields', '@reboot'],
    ['2030-01-01T00:00:00', 'fields', '2030-01-01T00:00:00'],
    ['60 * * * *', 'minute', '60'],
    ['*/0 * * * *', 'minute', '*/0'],
    ['* 24 * * *', 'hour', '24'],
    ['* 5-1 * * *', 'hour', '5-1'],
    ['* * 0 * *', 'day', '0'],
    ['* * 32 x 9', 'day', '32'],
    ['* * * 13 *', 'month', '13'],
    ['* * * * 8', 'weekday', '8'],
    ['* * * * MON-', 'weekday', 'MON-'],
    ['0 0 31 2 *', 'never', '0 0 31 2 *'],
    ['0 0 31 4,6,9,11 *', 'never', '0 0 31 4,6,9,11 *'],
    ['@every', 'fields', '@every'],
  ])('%s is refused, and the wrong part named', (text, part, value) => {
    expect(findFault(utc(text))).toEqual({ code: `schedule.cron_${part}`, value });
  });
});

test.each([['@every 59s'], ['@every 0h'], ['@every 1d'], ['@every h'], ['@every -1h']])(
  '%s is no interval',
  (text) => expect(findFault(utc(text))).toEqual({ code: 'schedule.interval', value: text }),
);

test('finds a wrong time zone first, then a wrong cron text; a schedule that is due once needs none', () => {
  const wrong = { cron_format: '99 * * * *', time_zone: 'Nowhere/Land' };
  const zoneError = { path: 'time_zone', code: 'schedule.time_zone_unknown' };
  expect(findTimingError(wrong)).toEqual(zoneError);
  expect(findTimingError({ ...wrong, run_at: '2026-05-01T10:00:00Z' })).toEqual(zoneError);
  expect(findTimingError({ ...wrong, time_zone: 'UTC' })).toEqual({
    path: 'cron_format',
    code: 'schedule.cron_minute',
    params: { value: '99' },
  });
  const once = { cron_format: '', time_zone: 'UTC', run_at: '2026-05-01T10:00:00Z' };
  expect(findTimingError(once)).toBeNull();
  expect(findTimingError(utc('0 3 * * *'))).toBeNull();
});

test('an interval counts from the last due time, whatever the time of day', async () => {
  const timing = { cron_format: '@every 1h30m', time_zone: 'Europe/Berlin' };
  const first = '2026-05-01T10:07:20.000Z';
  expect(nextDue(timing, first)).toBe('2026-05-01T11:37:20.000Z');
  expect(listNext(timing, new Date(first), 3)).toEqual([
    '2026-05-01T11:37:20.000Z',
    '2026-05-01T13:07:20.000Z',
    '2026-05-01T14:37:20.000Z',
  ]);
  const { newest, earlier } = await listPassed(timing, first, new Date('2026-05-01T14:40:00Z'));
  expect([newest, earlier]).toEqual([[first, ...listNext(timing, new Date(first), 3)], null]);
  const years = await listPassed(timing, '2016-05-01T10:07:20.000Z', new Date(first));
  expect([years.newest.length, years.earlier?.count]).toEqual([100, 1000]);
  for (const due of years.newest) {
    expect((Date.parse(due) - Date.parse('2016-05-01T10:07:20.000Z')) % 5_400_000).toBe(0);
  }
});

test('one time is due before it, and never again', () => {
  const once = { cron_format: '', time_zone: 'UTC', run_at: '2027-06-25T02:00:00Z' };
  expect(listNext(once, new Date('2026-05-01T10:00Z'), 5)).toEqual(['2027-06-25T02:00:00.000Z']);
  expect(nextDue(once, '2027-06-25T02:00:00.000Z')).toBeNull();
});

describe('where clocks change', () => {
  const berlin = 'Europe/Berlin';
  const newYork = 'America/New_York';
  test.each([
    // From 2:00 to 3:00 there is no such time; the gap ends at 3:00.
    ['30 2 * * *', berlin, '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']],
    ['0,30 2 * * *', berlin, '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:00']],
    ['30 2 * * *', newYork, '2026-03-07T12:00Z', ['2026-03-08T07:00', '2026-03-09T06:30']],
    // From 2:00 to 3:00 in Berlin, and from 1:00 to 2:00 in New York, comes twice.
    ['30 2 * * *', berlin, '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
    ['15,45 2 * * *', berlin, '2026-10-25T00:20Z', ['2026-10-25T00:45', '2026-10-26T01:15']],
    ['30 1 * * *', newYork, '2026-10-31T12:00Z', ['2026-11-01T05:30', '2026-11-02T06:30']],
    // Expressions without a time of day go by elapsed time.
    ['0 * * * *', berlin, '2026-03-29T00:30Z', ['2026-03-29T01:00', '2026-03-29T02:00']],
    ['0 * * * *', berlin, '2026-10-25T00:00Z', ['2026-10-25T01:00', '2026-10-25T02:00']],
    ['*/30 1 * * *', newYork, '2026-11-01T05:00Z', ['2026-11-01T05:30', '2026-11-01T06:00']],
    ['*/30 2 * * *', newYork, '2026-03-08T06:00Z', ['2026-03-09T06:00', '2026-03-09T06:30']],
  ])('%s in %s is due after %s at %j', (cron_format, time_zone, after, due) => {
    const next = listNext({ cron_format, time_zone }, new Date(after), 2);
    expect(next).toEqual(due.map((time) => `${time}:00.000Z`));
  });

  test.each([berlin, newYork])('every hour of a year is due once in %s', (time_zone) => {
    let due: string | null = '2026-01-01T00:00:00.000Z';
    const gaps = new Set<number>();
    for (let hours = 0; hours < 8760 && due !== null; hours += 1) {
      const next = nextDue({ cron_format: '@hourly', time_zone }, due);
      gaps.add(Date.parse(next ?? '') - Date.parse(due));
      due = next;
    }
    expect([...gaps]).toEqual([3_600_000]);
  });

  test.each([berlin, newYork])('a time of day is due once on each day of a year in %s', (zone) => {
    for (const cron_format of ['30 1 * * *', '30 2 * * *', '0 3 * * *']) {
      const start = new Date('2026-01-01T12:00Z');
      const next = listNext({ cron_format, time_zone: zone }, start, 365);
      const day = Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' });
      const days = new Set(next.map((time) => day.format(new Date(time))));
      expect([cron_format, days.size, next.length]).toEqual([cron_format, 365, 365]);
    }
  });
});

describe('due times that have passed', () => {
  const from = (first: string, end: string, text = '* * * * *') =>
    listPassed(utc(text), `${first}:00.000Z`, new Date(`${end}Z`));

  test('are told one by one, without the end', async () => {
    const passed = await from('2026-05-01T10:00', '2026-05-01T10:03');
    expect(passed.earlier).toBeNull();
    expect(passed.newest.map((due) => due.slice(11, 16))).toEqual(['10:00', '10:01', '10:02']);
  });

  test('are the newest hundred, and the number of those before', async () => {
    const hundred = await from('2026-05-01T10:00', '2026-05-01T11:40');
    expect([hundred.newest.length, hundred.earlier]).toEqual([100, null]);
    const more = await from('2026-05-01T10:00', '2026-05-01T20:00');
    expect(more.newest).toHaveLength(100);
    expect(more.newest.at(-1)).toBe('2026-05-01T19:59:00.000Z');
    expect(more.earlier).toEqual({ count: 500, due: '2026-05-01T18:19:00.000Z' });
  });

  test('are found quickly however long ago the first was, and then counted in part', async () => {
    const begun = performance.now();
    const years = await from('2006-05-01T10:00', '2026-05-01T10:00');
    expect(years.newest.at(-1)).toBe('2026-05-01T09:59:00.000Z');
    expect(years.earlier?.count).toBe(1000);
    expect(performance.now() - begun).toBeLessThan(10_000);
    const rare = await from('2006-01-01T00:00', '2026-05-01T10:00', '@yearly');
    expect([rare.newest.length, rare.newest[0], rare.earlier]).toEqual([
      21,
      '2006-01-01T00:00:00.000Z',
      null,
    ]);
  });

  test('are the same as the times that were due one after the other', async () => {
    const timing = { cron_format: '*/7 1-3 * * *', time_zone: 'Europe/Berlin' };
    const all = listNext(timing, new Date('2026-10-20T00:00Z'), 300);
    const [first = ''] = all;
    const end = new Date(Date.parse(all.at(-1) ?? '') + 1);
    const { newest, earlier } = await listPassed(timing, first, end);
    expect(newest).toEqual(all.slice(-100));
    expect(earlier).toEqual({ count: 200, due: all[199] });
  });
});

test('a step from a number goes from there to the end', () => {
  const minutes = listNext(utc('5/20 * * * *'), new Date('2026-01-01T00:00:00Z'), 4);
  expect(minutes.map((due) => due.slice(11, 16))).toEqual(['00:05', '00:25', '00:45', '01:05']);
  const hours = listNext(utc('0 20/3 * * *'), new Date('2026-01-01T00:00:00Z'), 3);
  expect(hours.map((due) => due.slice(8, 13))).toEqual(['01T20', '01T23', '02T20']);
});
