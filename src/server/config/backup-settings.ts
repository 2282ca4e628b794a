import { isAbsolutePath, wholeNumber, type Settings } from './setting-values.ts';

// Parsed fully at the start of the server, since the cron package is rarely needed here.
const looksLikeCron = (value: string): boolean =>
  value.startsWith('@') || value.trim().split(' ').filter(Boolean).length === 5;

export const backupSettings = {
  SIGNALBOX_BACKUP_SCHEDULE: {
    holds: 'a cron expression such as 0 3 * * *',
    about:
      'When this server backs up the whole installation, in its own time zone; absent: never by itself',
    accepts: looksLikeCron,
  },
  SIGNALBOX_BACKUP_TO: {
    holds: 'the absolute path of a folder',
    about: 'Folder for the scheduled backups, best on another disk or machine',
    accepts: isAbsolutePath,
  },
  SIGNALBOX_BACKUP_KEEP: {
    initial: '7',
    ...wholeNumber(1, 10_000),
    about: 'How many scheduled backups are kept; the oldest are removed when a new one is good',
  },
} satisfies Settings;
