// Files and folders import one way only, and one room writes each table.

import type { Case, Files } from './case.ts';
import * as circles from './circle-rules.ts';
import * as stores from './store-rules.ts';

const imports = (target: string): string => `import { x } from '${target}';\n`;

const manyFolders = (count: number): Files =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`src/server/a${index}/a.ts`, '']),
  );

export const roomCases: Case[] = [
  {
    title: 'each table is written by the stores of one noun',
    rule: stores.tablesHaveOneWriter,
    bad: [
      {
        'src/server/keys/keys.store.ts': "db.updateTable('keys')",
        'src/server/projects/projects.store.ts': "db\n    .deleteFrom('keys')",
      },
      {
        'src/server/automation/tasks/queue/queue.store.ts': "db.updateTable('tasks')",
        'src/server/automation/views/queue/queue.store.ts': "db.updateTable('tasks')",
      },
      {
        'src/server/keys/keys.store.ts': "insertRow(db, 'keys', values)",
        'src/server/projects/projects.store.ts': "deleteRows(\n    db,\n    'keys', { id })",
      },
    ],
    good: {
      'src/server/keys/keys.store.ts': "db.updateTable('keys'); db.selectFrom('projects')",
      'src/server/projects/projects.store.ts': "db.updateTable('projects')",
      'src/server/members/members.store.ts': "db.updateTable('projects')",
      'src/server/automation/tasks/queue/queue.store.ts': "db.updateTable('tasks')",
      'src/server/automation/tasks/runs/run.store.ts': "db.updateTable('tasks')",
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
        'src/server/context/context.ts': imports('../db/open.ts'),
        'src/server/db/open.ts': '',
        'src/server/db/clock.ts': "import type { Clock } from '../context/context.ts';",
      },
    ],
    good: {
      'src/server/app.ts': imports('./templates/templates.ts'),
      'src/server/templates/templates.ts': '',
      'src/server/tasks/tasks.ts': imports('../templates/templates.ts'),
      'src/server/tasks/last-tasks.ts': imports('./tasks.ts'),
      'src/server/lib/errors.ts': '',
      'src/server/context/transaction.ts': imports('./context.ts'),
      'src/server/context/context.ts': imports('../db/open.ts'),
      'src/server/db/open.ts': imports('../lib/errors.ts'),
    },
  },
  {
    title: 'no files of the runner in a circle, not even of types',
    rule: circles.noCircles,
    bad: [
      {
        'src/runner/inspections/inspection-runner.ts': imports('./inspect-repository.ts'),
        'src/runner/inspections/inspect-repository.ts':
          "import type { InspectionWorkspace } from './inspection-runner.ts';",
      },
    ],
    good: {
      'src/runner/inspections/inspection-runner.ts':
        imports('./inspect-repository.ts') + imports('./inspection-workspace.ts'),
      'src/runner/inspections/inspect-repository.ts':
        "import type { InspectionWorkspace } from './inspection-workspace.ts';",
      'src/runner/inspections/inspection-workspace.ts': '',
    },
  },
  {
    title: 'no folders of the runner in a circle, not even of types',
    rule: circles.noCirclesOfRooms,
    bad: [
      {
        'src/runner/programs/supervisor.ts': imports('../workspace/workspace.ts'),
        'src/runner/programs/process.ts': '',
        'src/runner/workspace/workspace.ts': '',
        'src/runner/workspace/credentials.ts': imports('../programs/process.ts'),
      },
      {
        'src/runner/api/runner-api.ts': "import type { Commit } from '../git/mirror.ts';",
        'src/runner/api/run-secrets.ts': '',
        'src/runner/git/mirror.ts': "import type { OpenKey } from '../api/run-secrets.ts';",
      },
      {
        'src/runner/start.ts': imports('./client/server-client.ts'),
        'src/runner/client/server-client.ts': '',
        'src/runner/client/remote.ts': imports('../start.ts'),
      },
    ],
    good: {
      'src/runner/start.ts': imports('./runs/runner.ts'),
      'src/runner/runs/runner.ts': imports('../supervisor/supervisor.ts'),
      'src/runner/supervisor/supervisor.ts': imports('../workspace/workspace.ts'),
      'src/runner/workspace/workspace.ts': '',
    },
  },
  {
    title: 'no groups of folders of the server in a circle',
    rule: circles.noCirclesOfGroups,
    bad: [
      {
        'src/server/people/users/users.ts': imports('../../events/events.ts'),
        'src/server/events/events.ts': imports('../people/tokens/tokens.ts'),
        'src/server/people/tokens/tokens.ts': '',
      },
    ],
    good: {
      'src/server/app.ts': imports('./people/users/users.ts'),
      'src/server/people/users/users.ts': imports('../../events/events.ts'),
      'src/server/people/tokens/tokens.ts': imports('../users/users.ts'),
      'src/server/events/events.ts': '',
    },
  },
  {
    title: 'at most twenty folders of the server side by side',
    rule: circles.fewFoldersSideBySide,
    bad: [manyFolders(21)],
    good: manyFolders(20),
  },
];
