// The shape of the tree: each rule holds for the real files, and refuses its examples.

import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Case, Files } from './architecture/case.ts';
import { foreignCases } from './architecture/foreign-cases.ts';
import { stateCases } from './architecture/state-cases.ts';
import * as names from './architecture/name-rules.ts';
import * as server from './architecture/server-rules.ts';
import { roomCases } from './architecture/room-cases.ts';
import { runnerCases } from './architecture/runner-cases.ts';
import { readSource, sourceFile } from './architecture/source.ts';
import * as tests from './architecture/test-rules.ts';
import * as text from './architecture/text-rules.ts';
import { styleCases } from './architecture/style-cases.ts';
import { webCases } from './architecture/web-cases.ts';
import { wordCases } from './architecture/word-cases.ts';
import * as web from './architecture/web-rules.ts';

const imports = (target: string): string => `import { x } from '${target}';\n`;

const cases: Case[] = [
  {
    title: 'src/shared imports zod and itself only',
    rule: web.sharedImportsZodOnly,
    bad: [
      { 'src/shared/errors.ts': imports('node:fs') },
      { 'src/shared/api/keys.ts': imports('../../server/errors.ts') },
    ],
    good: { 'src/shared/api/keys.ts': imports('zod') + imports('../errors.ts') },
  },
  {
    title: 'the server does not import the console',
    rule: server.serverStaysOnItsSide,
    bad: [{ 'src/server/app.ts': imports('../web/lib/api.ts') }],
    good: { 'src/server/app.ts': imports('#shared/errors.ts') + imports('../../package.json') },
  },
  {
    title: 'the console does not import the server',
    rule: web.webStaysOnItsSide,
    bad: [
      { 'src/web/lib/api.ts': imports('../../server/errors.ts') },
      { 'src/web/lib/api.ts': imports('node:path') },
    ],
    good: { 'src/web/lib/api.ts': imports('#shared/errors.ts') },
  },
  {
    title: 'on the server: route → use case → store → db',
    rule: server.serverLayers,
    bad: [
      { 'src/server/keys/keys.routes.ts': imports('../projects/projects.store.ts') },
      { 'src/server/keys/keys.routes.ts': imports('../http/server.ts') },
      { 'src/server/keys/keys.ts': imports('../projects/projects.store.ts') },
      {
        'src/server/automation/views/queue/queue.ts': imports('../../tasks/queue/queue.store.ts'),
      },
      { 'src/server/automation/tasks/log/log.ts': imports('../../views/log/log.store.ts') },
      { 'src/server/automation/tasks/queue/queue.store.ts': imports('../tasks.ts') },
      { 'src/server/keys/keys.ts': imports('./keys.routes.ts') },
      { 'src/server/keys/keys.store.ts': imports('./keys.ts') },
      { 'src/server/keys/keys.store.ts': imports('../projects/projects.ts') },
      { 'src/server/keys/keys.store.ts': imports('../config.ts') },
      { 'src/server/http/actor.ts': imports('../session/session.ts') },
      { 'src/server/db/open.ts': imports('../vault/vault.ts') },
      { 'src/server/live/follow.ts': imports('../tasks/task-log.store.ts') },
      { 'src/server/runner-api/long-poll.ts': imports('../tasks/tasks.routes.ts') },
      { 'src/server/runner-api/long-poll.ts': imports('../http/serve.ts') },
      { 'src/server/runner-api/own-runner/own-runner.ts': imports('../../http/serve.ts') },
      { 'src/server/context.ts': imports('./app.ts') },
    ],
    good: {
      'src/server/main.ts': imports('./app.ts'),
      'src/server/app.ts': imports('./keys/keys.routes.ts') + imports('../runner/runs/runner.ts'),
      'src/server/cli/user.ts': imports('../users/users.store.ts') + imports('../app.ts'),
      'src/server/context.ts': "import type { Vault } from './vault/vault.ts';",
      'src/server/keys/keys.routes.ts':
        imports('../http/serve.ts') + imports('./keys.ts') + imports('./keys.store.ts'),
      'src/server/keys/keys.ts':
        imports('./keys.store.ts') + imports('../projects/projects.ts') + imports('../errors.ts'),
      'src/server/keys/keys.store.ts': imports('../db/row.ts') + imports('./key-kind.ts'),
      'src/server/automation/tasks/runs/run.store.ts': imports('../rows/tasks.store.ts'),
      'src/server/automation/tasks/tasks.ts': imports('./queue/queue.store.ts'),
      'src/server/runner-api/runner-api.routes.ts':
        imports('./long-poll.ts') + imports('../http/serve.ts'),
      'src/server/runner-api/long-poll.ts': imports('./held-tasks.ts'),
      'src/server/keys/keys.test.ts': imports('../app.ts') + imports('./keys.store.ts'),
    },
  },
  ...runnerCases,
  {
    title: 'a store needs no package but kysely',
    rule: server.storesImportLittle,
    bad: [{ 'src/server/keys/keys.store.ts': imports('fastify') }],
    good: { 'src/server/keys/keys.store.ts': imports('kysely') + imports('node:crypto') },
  },
  {
    title: 'the product does not import tests',
    rule: server.nobodyImportsTests,
    bad: [{ 'src/server/app.ts': imports('../../test/helpers/postgres.ts') }],
  },
  {
    title: 'in the console: app → features → lib, ui → styles',
    rule: web.webLayers,
    bad: [
      { 'src/web/features/tasks/task-list.tsx': imports('../keys/key-list.tsx') },
      { 'src/web/features/tasks/task-list.tsx': imports('../../app/shell.tsx') },
      { 'src/web/ui/table.tsx': imports('../lib/api.ts') },
      { 'src/web/ui/table.tsx': imports('../features/tasks/tasks.queries.ts') },
      { 'src/web/lib/api.ts': imports('../ui/toast.tsx') },
      { 'src/web/lib/api.ts': imports('../app/router.ts') },
    ],
    good: {
      'src/web/app/router.ts': imports('../features/tasks/task-list.tsx'),
      'src/web/features/tasks/task-list.tsx':
        imports('../keys/keys.queries.ts') + imports('../../ui/table.tsx') + imports('./ansi.ts'),
      'src/web/ui/table.tsx': imports('../lib/i18n.ts') + imports('./menu.tsx'),
      'src/web/lib/i18n.ts': imports('../locales/en.json'),
    },
  },
  {
    title: 'ui/ knows no contract',
    rule: web.uiKnowsNoContract,
    bad: [{ 'src/web/ui/table.tsx': imports('#shared/api/keys.ts') }],
  },
  ...webCases,
  ...styleCases,
  {
    title: 'only runner/process.ts starts programs',
    rule: text.onlyProcessSpawns,
    bad: [{ 'src/node/process/installed-programs.ts': imports('node:child_process') }],
    good: { 'src/runner/programs/process.ts': imports('node:child_process') },
  },
  {
    title: 'only vault/vault.ts decrypts',
    rule: text.onlyVaultDecrypts,
    bad: [{ 'src/server/keys/keys.ts': 'createDecipheriv(algorithm, key, nonce)' }],
    good: { 'src/server/vault/vault.ts': 'createDecipheriv(algorithm, key, nonce)' },
  },
  {
    title: 'only config.ts reads the environment',
    rule: text.onlyConfigReadsEnvironment,
    bad: [
      { 'src/node/log/log.ts': "process.env['LEVEL']" },
      { 'src/node/log/log.ts': "import { argv, env } from 'node:process';" },
    ],
    good: {
      'src/server/config/config.ts': 'process.env',
      'src/node/log/log.ts': '// config.ts reads process.env',
    },
  },
  {
    title: 'only outbound.ts asks other servers',
    rule: text.onlyOutboundAsks,
    bad: [
      { 'src/server/alerts/send.ts': 'await fetch(address)' },
      { 'src/server/alerts/send.ts': "import { request } from 'node:https';" },
    ],
    good: {
      'src/server/lib/outbound.ts': "import { request as ask } from 'node:https';",
      'src/runner/client/server-client.ts': 'await fetch(url)',
      'src/server/app.ts': "import type { IncomingMessage } from 'node:http';",
      'src/web/lib/api.ts': 'await fetch(address)',
    },
  },
  ...foreignCases,
  ...stateCases,
  {
    title: 'only db/ and stores map flags',
    rule: text.onlyStoresKnowFlags,
    bad: [{ 'src/server/users/users.ts': 'const row = { admin: toFlag(input.admin) };' }],
    good: { 'src/server/users/users.store.ts': 'query.where("admin", "=", toFlag(true));' },
  },
  {
    title: 'stores convert no column by hand',
    rule: text.onlyPlainRowsReadColumns,
    bad: [
      { 'src/server/users/users.store.ts': 'const isAdmin = fromFlag(row.admin);' },
      { 'src/server/events/events.store.ts': 'const params = JSON.parse(row.params);' },
    ],
    good: { 'src/server/events/events.ts': 'const text = JSON.stringify(events);' },
  },
  {
    title: 'only stores and db/ hold SQL',
    rule: text.onlyStoresHoldSql,
    bad: [
      { 'src/server/keys/keys.ts': "db.selectFrom('keys')" },
      { 'src/server/keys/keys.ts': imports('../db/rows.ts') },
      { 'src/server/keys/keys.routes.ts': 'await sql<Row>`select 1`.execute(db)' },
    ],
    good: { 'src/server/keys/keys.store.ts': "db.deleteFrom('keys')" },
  },
  {
    title: 'colours stand in styles/tokens.css only',
    rule: text.onlyTokensHoldColours,
    bad: [
      { 'src/web/ui/badge.tsx': "const style = { color: '#c0ffee' };" },
      { 'src/web/styles/base.css': 'a { color: #fff; }' },
      { 'src/web/app/theme.ts': 'const shade = `rgb(1 2 3)`;' },
    ],
    good: {
      'src/web/styles/tokens.css': ':root { --surface: #fff; }',
      'src/web/app/theme.ts': "import x from '#shared/errors.ts'; const c = 'var(--surface)';",
    },
  },
  {
    title: 'tests choose at random from one seed',
    rule: tests.randomComesFromOneSeed,
    bad: [
      { 'test/drain.test.ts': 'const pause = Math.random() * 10;' },
      { 'src/server/keys/keys.test.ts': 'const seed = Date.now() % 1000;' },
      { 'src/web/lib/time.test.ts': 'fc.assert(holds, { seed: 47 });' },
    ],
    good: {
      'test/helpers/random.ts': 'const seed = Date.now() % 1000;',
      'src/web/lib/retry.ts': 'const pause = Math.random() * 10;',
      'test/drain.test.ts': 'fc.assert(holds, { seed: fixedSeed });',
    },
  },
  {
    title: 'limits of tests end only what hangs',
    rule: tests.limitsOnlyEndWhatHangs,
    bad: [
      { 'test/drain.test.ts': 'test(title, async () => {\n}, 30_000);' },
      { 'test/e2e/keys.spec.ts': 'await row.waitFor({ timeout: 90_000 });' },
    ],
    good: {
      'test/drain.test.ts': 'test(title, async () => {\n}, 900_000);',
      'test/wire.test.ts': 'setTimeout(() => {\n}, 50);',
    },
  },
  {
    title: 'no index files but the two lists',
    rule: names.noIndexFiles,
    bad: [{ 'src/server/keys/index.ts': '' }],
    good: { 'src/shared/api/index.ts': '', 'src/server/db/migrations/index.ts': '' },
  },
  {
    title: 'no folder with a name that says nothing',
    rule: names.noFolderWithoutMeaning,
    bad: [{ 'src/web/utils/date.ts': '' }, { 'src/server/helpers/date.ts': '' }],
    good: { 'test/helpers/until.ts': '' },
  },
  {
    title: 'files and folders are in kebab-case',
    rule: names.kebabCase,
    bad: [{ 'src/web/ui/DataTable.tsx': '' }, { 'src/server/task_log/a.ts': '' }],
    good: { 'src/server/tasks/task-log.store.ts': '' },
  },
  ...wordCases,
  ...roomCases,
];

const checkout = fileURLToPath(new URL('..', import.meta.url));
const real = readSource(checkout, ['src', 'test', 'scripts', 'bin']);
const files = (examples: Files) =>
  Object.entries(examples).map(([path, code]) => sourceFile(path, code));

describe.each(cases)('$title', ({ rule, bad, good }) => {
  test('holds', () => {
    expect(rule(real)).toEqual([]);
  });

  test.each(bad)('refuses example %$', (example) => {
    expect(rule(files(example))).toHaveLength(1);
  });

  test('allows what it should', () => {
    expect(rule(files(good ?? {}))).toEqual([]);
  });
});

test('finds imports in every form, and none in comments', () => {
  const code = [
    "import a from './a.ts';",
    "import type { B } from './b.ts';",
    "import {\n  c,\n  d,\n} from './c.ts';",
    "export * from './d.ts';",
    "import './e.css';",
    "const f = await import('./f.ts');",
    "// import g from './g.ts';",
    "/* import h from './h.ts'; */",
    "import { i } from '#shared/i.ts'; // and why",
    "const address = 'https://example.com/';",
  ].join('\n');
  expect(sourceFile('src/web/x.ts', code).imports.map(({ target }) => target)).toEqual([
    'src/web/a.ts',
    'src/web/b.ts',
    'src/web/c.ts',
    'src/web/d.ts',
    'src/web/e.css',
    'src/shared/i.ts',
    'src/web/f.ts',
  ]);
});
