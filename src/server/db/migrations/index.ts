// All migrations in their order. A released one never changes what it does.

import type { Migration } from 'kysely/migration';
import { start } from './0001-start.ts';
import { migrations0002To0013 } from './0002-to-0013.ts';
import { migrations0014To0044 } from './0014-to-0044.ts';
import { migrations0046To0096 } from './0046-to-0096.ts';
import { migrations0097 } from './0097-execution-environments.ts';
import { migrations0098 } from './0098-pods.ts';
import { migrations0100 } from './0100-roles.ts';
import { migrations0101 } from './0101-grants.ts';
import { migrations0102 } from './0102-second-person.ts';
import { migrations0103 } from './0103-rules-of-objects.ts';

export const migrations: Record<string, Migration> = {
  '0001-start': start,
  ...migrations0002To0013,
  ...migrations0014To0044,
  ...migrations0046To0096,
  ...migrations0097,
  ...migrations0098,
  ...migrations0100,
  ...migrations0101,
  ...migrations0102,
  ...migrations0103,
};
