// The settings for scheduled backups of the installation.

import { wholeNumber, type Setting } from './setting-values.ts';

// The fields themselves are checked when the server starts, because few servers need the package.
const looksLikeCron = (value: string): boolean =>
  value.startsWith('@') || value.trim().split(' ').filter(Boolean).length === 5;

export const backupSettings = [
  {
    name: 'SIGNALBOX_BACKUP_SCHEDULE',
    holds: 'a cron expression such as 0 3 * * *',
    about:
      'When this server backs up the whole installation, in its own time zone; absent: never by itself',
    accepts: looksLikeCron,
  },
  {
    name: 'SIGNALBOX_BACKUP_TO',
    holds: 'the absolute path of a folder',
    about: 'Folder for the scheduled backups, best on another disk or machine',
    accepts: (value: string) => value.startsWith('/'),
  },
  {
    name: 'SIGNALBOX_BACKUP_KEEP',
    initial: '7',
    holds: 'a number from 1 to 10000',
    about: 'How many scheduled backups are kept; the oldest are removed when a new one is good',
    accepts: wholeNumber(1, 10_000),
  },
] as const satisfies readonly Setting[];
