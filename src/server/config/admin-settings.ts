// Settings of the first administrator, who is created at the first start.

import { anything, isAbsolutePath, type Settings } from './setting-values.ts';

export const adminSettings = {
  SIGNALBOX_ADMIN_LOGIN: {
    initial: 'admin',
    holds: 'a login without spaces',
    about: 'Login of the first administrator',
    accepts: (value: string) => /^\S{1,255}$/.test(value),
  },
  SIGNALBOX_ADMIN_PASSWORD: {
    holds: 'a password that fits the rules for new ones',
    about: 'Password of the first administrator; absent: random, printed once',
    secret: true,
    accepts: anything,
  },
  SIGNALBOX_FIRST_PASSWORD_FILE: {
    holds: 'the absolute path of a file',
    about:
      'File into which the random password of the first administrator is written, in place of being printed, where output is kept; only the user of the server can read the file, and the first sign-in removes it',
    accepts: isAbsolutePath,
  },
  SIGNALBOX_ADMIN_NAME: {
    initial: 'Administrator',
    holds: 'a name',
    about: 'Name of the first administrator',
    accepts: anything,
  },
  SIGNALBOX_ADMIN_EMAIL: {
    initial: 'admin@localhost',
    holds: 'an e-mail address',
    about: 'E-mail address of the first administrator',
    accepts: (value: string) => /^[^\s@]+@[^\s@]+$/.test(value),
  },
} satisfies Settings;
