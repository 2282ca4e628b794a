import { describe, expect, test } from 'vitest';
import { sourceFile } from '../test/architecture/source.ts';
import { type Suite, sortTests, suites } from './test-suites.ts';

const helpers = {
  'test/helpers/app.ts': "import { freshPostgres } from './postgres.ts';",
  'test/helpers/server.ts': '',
  'test/helpers/postgres.ts': "import { Client } from 'pg';",
  'test/helpers/people.ts': "import { password } from './app.ts';",
  'test/helpers/seed.ts': "import type { Caller } from './app.ts';",
};

/** Where a file with this text runs, such as "fast sqlite". */
function placesOf(path: string, text: string): string[] {
  const files = Object.entries({ ...helpers, [path]: text });
  const found = sortTests(
    [path],
    files.map(([name, content]) => sourceFile(name, content)),
  );
  return Object.entries(found).flatMap(([speed, suite]: [string, Suite]) =>
    Object.entries(suite).flatMap(([place, list]: [string, string[]]) =>
      list.length > 0 ? [`${speed} ${place}`] : [],
    ),
  );
}

const makesServer = "import { testApp } from '../helpers/app.ts';";

describe('a test of the server', () => {
  const cases: [does: string, text: string, on: string[]][] = [
    ['makes a server', makesServer, ['fast sqlite', 'release postgres']],
    [
      'starts one',
      "import { startServer } from '../helpers/server.ts';",
      ['fast sqlite', 'release postgres'],
    ],
    [
      'does so by a helper',
      "import { anna } from '../helpers/people.ts';",
      ['fast sqlite', 'release postgres'],
    ],
    [
      'makes a database',
      "import { freshPostgres } from '../helpers/postgres.ts';",
      ['fast postgres'],
    ],
    [
      'needs only a type of it',
      "import type { Caller } from '../helpers/app.ts';",
      ['fast sqlite'],
    ],
    ['needs only files', "import { folder } from '../helpers/seed.ts';", ['fast sqlite']],
    ['is pure', "import { parse } from '../../src/server/parse.ts';", ['fast sqlite']],
    [
      'is about one engine',
      `// Only on SQLite: it locks its file.\n${makesServer}`,
      ['fast sqlite'],
    ],
    [
      'is about the other',
      `// Only on PostgreSQL: rows are locked.\n${makesServer}`,
      ['fast postgres'],
    ],
    ['is slow', `// Slow: it kills servers.\n${makesServer}`, ['slow sqlite', 'release postgres']],
    [
      'is slow and about one engine',
      `// Kills servers.\n// Only on PostgreSQL: there are two.\n// Slow: they run for minutes.\n`,
      ['slow postgres'],
    ],
    [
      'takes too long for each change',
      `// Before a release: it takes minutes.\n// Slow: it kills servers.\n${makesServer}`,
      ['release sqlite', 'release postgres'],
    ],
    [
      'gives no reason',
      `// Only on SQLite:\n// Slow:\n${makesServer}`,
      ['fast sqlite', 'release postgres'],
    ],
    [
      'says something further down',
      `${makesServer}\n// Slow: it is not.\n`,
      ['fast sqlite', 'release postgres'],
    ],
  ];
  test.each(cases)('that %s runs where it belongs', (_does, text, on) => {
    expect(placesOf('test/drills/some.test.ts', text)).toEqual(on);
  });

  test('of statements is fast on both engines, and of the runner it runs once', () => {
    const on = (path: string, remark = ''): string[] =>
      placesOf(path, `${remark}${makesServer.replace('../', '../../../test/')}`);
    const onBoth = ['fast sqlite', 'fast postgres'];
    expect(on('src/server/projects/projects.test.ts')).toEqual(onBoth);
    expect(on('src/server/log/task-log.store.test.ts')).toEqual(onBoth);
    expect(on('src/server/queue/tags.test.ts')).toEqual(onBoth);
    expect(on('src/server/db/savepoint.test.ts')).toEqual(onBoth);
    expect(on('src/server/projects/changes.test.ts')).toEqual(['fast sqlite', 'slow postgres']);
    const later = '// Release on PostgreSQL: it is about mail.\n';
    expect(on('src/server/alerts/mail.test.ts', later)).toEqual([
      'fast sqlite',
      'release postgres',
    ]);
    expect(on('src/server/cli/cli.test.ts')).toEqual(['fast sqlite', 'release postgres']);
    expect(on('test/runs/stop.test.ts')).toEqual(['fast sqlite']);
    expect(on('test/compat/tasks.test.ts')).toEqual(['fast sqlite']);
    const also = '// Also on PostgreSQL: its queue is another one.\n';
    expect(on('test/runs/stop.test.ts', also)).toEqual(['fast sqlite', 'slow postgres']);
  });

  test('in the browser is fast unless it says that it is slow', () => {
    expect(placesOf('test/e2e/some.spec.ts', makesServer)).toEqual(['fast browser']);
    const slow = '// Slow: it walks through every screen.\n';
    expect(placesOf('test/e2e/some.spec.ts', slow)).toEqual(['slow browser']);
  });

  test('runs in one suite of an engine, and most on both engines', () => {
    const { fast, slow, release } = suites;
    for (const place of ['sqlite', 'postgres', 'browser'] as const) {
      const all = [...fast[place], ...slow[place], ...release[place]];
      expect(new Set(all).size).toBe(all.length);
    }
    const sqlite = [...fast.sqlite, ...slow.sqlite];
    const postgres = [...fast.postgres, ...slow.postgres, ...release.postgres];
    const both = postgres.filter((path) => sqlite.includes(path));
    const always = [...fast.postgres, ...slow.postgres];
    expect(both.length).toBeGreaterThan(100);
    expect(always).toContain('test/engines.test.ts');
    expect(always).toContain('src/server/cli/backup.test.ts');
    expect(both).toContain('src/server/cli/cli.test.ts');
    expect(fast.sqlite).toContain('scripts/test-suites.test.ts');
    expect(postgres).not.toContain('scripts/test-suites.test.ts');
  });
});
