// Names of time zones.

/** Offsets are refused, since they have no daylight saving time. */
export function isTimeZone(name: string | undefined): name is string {
  if (name === undefined || !/^[a-z]/i.test(name)) return false;
  try {
    return Boolean(Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
