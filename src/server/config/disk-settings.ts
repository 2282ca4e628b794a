import { byteCount, onOff, type Settings } from './setting-values.ts';

export const diskSettings = {
  SIGNALBOX_LOW_DISK_BYTES: {
    initial: '1000000000',
    ...byteCount('never'),
    about:
      'The server warns, in its log and on the health page, when less than this is free on the disk of the data folder',
  },
  SIGNALBOX_LEAST_DISK_BYTES: {
    initial: '100000000',
    ...byteCount('never'),
    about:
      'No task starts on a server or remote runner while less than this is free on the disk of its data folder; tasks wait, and those that run go on',
  },
  SIGNALBOX_UPGRADE_BACKUP: {
    initial: 'on',
    ...onOff,
    about:
      'Whether a copy of the database is made before a newer version changes its tables; off is for those who have a backup of their own',
  },
} satisfies Settings;
