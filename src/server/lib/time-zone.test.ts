import { expect, test } from 'vitest';
import { isTimeZone, serverZone } from './time-zone.ts';

test('time zones go by the names of IANA; offsets are none', () => {
  const names = ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'];
  expect(names.filter(isTimeZone)).toEqual(names);
  const wrong = ['', '+02:00', 'Mars/Olympus', 'Europe', 'Europe/Berlin;', '../etc/passwd'];
  expect(wrong.filter(isTimeZone)).toEqual([]);
});

test.each([
  ['America/New_York', 'America/New_York'],
  [':America/New_York', 'America/New_York'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['/usr/share/zoneinfo/Europe/Paris', 'Europe/Paris'],
])('TZ=%s names the zone of the server', (value, name) => {
  expect(serverZone(value)).toEqual({ name, warning: null });
});

test.each(['', 'UTC0', 'Europe/Berln', 'GMT+5', 'CET-1CEST', '+05:00', '/etc/passwd', ':/no'])(
  'TZ="%s" does not count, which is said',
  (value) => {
    const { name, warning } = serverZone(value);
    expect(name).toBe('UTC');
    expect(warning).toContain(`TZ is ${JSON.stringify(value)}, which is not the name`);
  },
);

test('without TZ the zone is that of the machine', () => {
  const { name, warning } = serverZone(undefined);
  expect([isTimeZone(name), warning]).toEqual([true, null]);
});
