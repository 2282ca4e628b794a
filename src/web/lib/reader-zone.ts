/** The time zone of the reader, for example `Europe/Berlin`. */
export function readerZone(): string {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  // With an invalid TZ, browsers return "Etc/Unknown" or "+05:00".
  return /^[A-Z]/.test(zone) && zone !== 'Etc/Unknown' ? zone : 'UTC';
}
