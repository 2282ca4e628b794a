// The settings for the disk of the data folder.

import { onOff, wholeNumber, type Setting } from './setting-values.ts';

export const diskSettings = [
  {
    name: 'SIGNALBOX_LOW_DISK_BYTES',
    initial: '1000000000',
    holds: 'a number of bytes, where 0 means never',
    about:
      'The server warns, in its log and on the health page, when less than this is free on the disk of the data folder',
    accepts: wholeNumber(0, 1e15),
  },
  {
    name: 'SIGNALBOX_LEAST_DISK_BYTES',
    initial: '100000000',
    holds: 'a number of bytes, where 0 means never',
    about:
      'No task starts on a server or remote runner while less than this is free on the disk of its data folder; tasks wait, and those that run go on',
    accepts: wholeNumber(0, 1e15),
  },
  {
    name: 'SIGNALBOX_UPGRADE_BACKUP',
    initial: 'on',
    holds: 'on or off',
    about:
      'Whether a copy of the database is made before a newer version changes its tables; off is for those who have a backup of their own',
    accepts: onOff,
  },
] as const satisfies readonly Setting[];
