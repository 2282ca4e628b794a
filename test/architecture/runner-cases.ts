// What a runner may import, and which parts of it the server may import.

import type { Case } from './case.ts';
import * as server from './server-rules.ts';
import * as tests from './test-rules.ts';

const imports = (target: string): string => `import { x } from '${target}';\n`;

export const runnerCases: Case[] = [
  {
    title: 'a runner needs neither server nor database',
    rule: server.runnerStandsAlone,
    bad: [
      { 'src/runner/runs/run-task.ts': imports('../../server/tasks/tasks.ts') },
      { 'src/runner/api/runner-api.ts': "import type { Db } from '../../server/db/open.ts';" },
      { 'src/runner/client/server-client.ts': imports('fastify') },
    ],
    good: {
      'src/runner/runs/run-task.ts':
        imports('../api/runner-api.ts') + imports('#shared/api/tasks.ts'),
      'src/node/crypto/seal.ts': imports('jose') + imports('node:crypto'),
    },
  },
  {
    title: 'src/node stands below runner and server',
    rule: server.nodeStandsBelow,
    bad: [
      { 'src/node/fs/folder-lock.ts': imports('../../runner/config/runner-config.ts') },
      { 'src/node/log/log.ts': "import type { Config } from '../../server/config/settings.ts';" },
    ],
    good: {
      'src/node/fs/watch-files.ts': imports('../async/signal.ts') + imports('node:fs'),
      'src/node/crypto/seal.ts': imports('jose') + imports('#shared/api/runner-api.ts'),
    },
  },
  {
    title: 'a remote runner loads few packages',
    rule: server.remoteRunnersNeedFewPackages,
    bad: [
      { 'src/server/cli/remote-runner.ts': imports('fastify') },
      {
        'src/server/cli/server.ts': imports('../config/config.ts'),
        'src/server/config/config.ts': imports('./directory.ts'),
        'src/server/config/directory.ts': imports('ldapts'),
      },
      {
        'src/server/cli/server.ts': imports('../../node/fs/folder-lock.ts'),
        'src/node/fs/folder-lock.ts': imports('better-sqlite3'),
      },
    ],
    good: {
      'src/server/cli/server.ts':
        "import type { Context } from '../context.ts';\nawait import('./database-server.ts');" +
        imports('node:sqlite'),
      'src/server/cli/database-server.ts': imports('fastify'),
      'src/server/context.ts': imports('kysely'),
      'src/server/cli/remote-runner.ts': imports('../../runner/client/server-client.ts'),
      'src/runner/client/server-client.ts': imports('jose') + imports('zod'),
    },
  },
  {
    title: 'a server reaches its runners by the runner API and its task queue',
    rule: server.runnerIsEnteredInFewPlaces,
    bad: [
      { 'src/server/keys/keys.ts': imports('../../runner/runs/runner.ts') },
      { 'src/server/keys/keys.routes.ts': imports('../../runner/programs/process.ts') },
      { 'src/server/app.ts': imports('../runner/runs/run-task.ts') },
    ],
    good: {
      'src/server/runner-api/held-tasks.ts': imports('../../runner/api/runner-api.ts'),
      'src/server/http/server.ts': imports('../../node/log/log.ts'),
      'src/server/runner-api/own-runner/launch.ts': imports('../../../runner/main.ts'),
    },
  },
  {
    title: 'the tests of the runner need no server',
    rule: tests.runnerTestsNeedNoServer,
    bad: [
      { 'src/runner/git/mirror.test.ts': imports('../../server/app.ts') },
      {
        'src/runner/git/mirror.test.ts': imports('../../../test/helpers/tasks.ts'),
        'test/helpers/tasks.ts': imports('./app.ts'),
        'test/helpers/app.ts': imports('../../src/server/app.ts'),
      },
    ],
    good: {
      'src/runner/git/mirror.test.ts':
        imports('../../../test/runner/test-runner.ts') +
        "import type { App } from '../../server/app.ts';\n",
      'test/runner/test-runner.ts': imports('../../src/runner/runs/runner.ts'),
      'test/runs/runner.test.ts': imports('../../src/server/app.ts'),
    },
  },
];
