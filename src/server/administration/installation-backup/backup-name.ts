// The names of backups, which sort by their time.

/** An ISO time without milliseconds as a part of a file name. */
export const fileTime = (time: string): string => time.replaceAll(':', '-').replace(/\.\d+Z$/, 'Z');

/** `count` distinguishes backups of the same second. */
export const backupName = (created: string, count: number): string =>
  `signalbox-${fileTime(created)}${count === 1 ? '' : `-${count}`}.tar.zst`;

export const isBackupName = (name: string): boolean =>
  /^signalbox-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:-\d+)?\.tar\.zst$/.test(name);
