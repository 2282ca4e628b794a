// Files and folders import one way only, and one room writes each table.

import type { Case } from './case.ts';
import * as circles from './circle-rules.ts';
import * as stores from './store-rules.ts';

const imports = (target: string): string => `import { x } from '${target}';\n`;

export const roomCases: Case[] = [
  {
    title: 'each table is written by the stores of one folder',
    rule: stores.tablesHaveOneWriter,
    bad: [
      {
        'src/server/keys/keys.store.ts': "db.updateTable('keys')",
        'src/server/projects/projects.store.ts': "db\n    .deleteFrom('keys')",
      },
    ],
    good: {
      'src/server/keys/keys.store.ts': "db.updateTable('keys'); db.selectFrom('projects')",
      'src/server/projects/projects.store.ts': "db.updateTable('projects')",
      'src/server/members/members.store.ts': "db.updateTable('projects')",
    },
  },
  {
    title: 'no imports in a circle, on the server not even of types',
    rule: circles.noCircles,
    bad: [
      {
        'src/server/keys/keys.ts': imports('../users/users.ts'),
        'src/server/users/users.ts': imports('../keys/keys.ts'),
      },
      {
        'src/server/alerts/mail.ts': "import type { Sent } from './send.ts';",
        'src/server/alerts/send.ts': imports('./mail.ts'),
      },
    ],
    good: {
      'src/server/context.ts': "import type { Vault } from './vault/vault.ts';",
      'src/server/vault/vault.ts': imports('./master-keys.ts'),
      'src/server/vault/master-keys.ts': '',
    },
  },
  {
    title: 'no folders of the server in a circle, not even of types',
    rule: circles.noCirclesOfRooms,
    bad: [
      {
        'src/server/templates/templates.ts': imports('../tasks/last-tasks.ts'),
        'src/server/templates/survey.ts': '',
        'src/server/tasks/tasks.ts': "import type { Survey } from '../templates/survey.ts';",
        'src/server/tasks/last-tasks.ts': '',
      },
      {
        'src/server/db/open.ts': imports('./move/move.ts'),
        'src/server/db/row.ts': '',
        'src/server/db/move/move.ts': imports('../row.ts'),
      },
      {
        'src/server/context.ts': imports('./db/open.ts'),
        'src/server/db/open.ts': '',
        'src/server/db/clock.ts': "import type { Clock } from '../context.ts';",
      },
    ],
    good: {
      'src/server/app.ts': imports('./templates/templates.ts'),
      'src/server/templates/templates.ts': '',
      'src/server/tasks/tasks.ts': imports('../templates/templates.ts'),
      'src/server/tasks/last-tasks.ts': imports('./tasks.ts'),
      'src/server/errors.ts': '',
      'src/server/transaction.ts': imports('./context.ts'),
      'src/server/context.ts': imports('./db/open.ts'),
      'src/server/db/open.ts': imports('../errors.ts'),
    },
  },
];
