// The names of backups, which sort by their time.

/** `count` distinguishes backups of the same second. */
export function backupName(created: string, count: number): string {
  const time = created.replaceAll(':', '-').replace(/\.\d+Z$/, 'Z');
  return `signalbox-${time}${count === 1 ? '' : `-${count}`}.tar.zst`;
}

export const isBackupName = (name: string): boolean =>
  /^signalbox-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:-\d+)?\.tar\.zst$/.test(name);
