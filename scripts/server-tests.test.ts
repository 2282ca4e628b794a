import { describe, expect, test } from 'vitest';
import { sourceFile } from '../test/architecture/source.ts';
import { serverTests, sortTests } from './server-tests.ts';

const helpers = {
  'test/helpers/app.ts': "import { freshPostgres } from './postgres.ts';",
  'test/helpers/server.ts': '',
  'test/helpers/postgres.ts': "import { Client } from 'pg';",
  'test/helpers/people.ts': "import { password } from './app.ts';",
  'test/helpers/seed.ts': "import type { Caller } from './app.ts';",
};

describe('a test of the server', () => {
  const cases: [does: string, text: string, on: string[]][] = [
    ['makes a server', "import { testApp } from './helpers/app.ts';", ['sqlite', 'postgres']],
    ['starts one', "import { startServer } from './helpers/server.ts';", ['sqlite', 'postgres']],
    ['does so by a helper', "import { anna } from './helpers/people.ts';", ['sqlite', 'postgres']],
    ['makes a database', "import { freshPostgres } from './helpers/postgres.ts';", ['postgres']],
    ['needs only a type of it', "import type { Caller } from './helpers/app.ts';", ['sqlite']],
    ['needs only files', "import { folder } from './helpers/seed.ts';", ['sqlite']],
    ['is pure', "import { parse } from '../src/server/parse.ts';", ['sqlite']],
    [
      'is about one engine',
      "// Only on SQLite: it locks its file.\nimport { testApp } from './helpers/app.ts';",
      ['sqlite'],
    ],
    [
      'is about the other',
      "// Only on PostgreSQL: rows are locked.\nimport { testApp } from './helpers/app.ts';",
      ['postgres'],
    ],
    [
      'gives no reason',
      "// Only on SQLite:\nimport { testApp } from './helpers/app.ts';",
      ['sqlite', 'postgres'],
    ],
  ];
  test.each(cases)('that %s runs where it belongs', (_does, text, on) => {
    const path = 'test/some.test.ts';
    const files = Object.entries({ ...helpers, [path]: text });
    const found = sortTests(
      [path],
      files.map(([name, content]) => sourceFile(name, content)),
    );
    expect(
      Object.entries(found).flatMap(([name, list]) => (list.length > 0 ? [name] : [])),
    ).toEqual(on);
  });

  test('runs on one engine at least, and most on both', () => {
    const { sqlite, postgres } = serverTests;
    const both = postgres.filter((path) => sqlite.includes(path));
    expect(both.length).toBeGreaterThan(100);
    expect(both).toContain('test/engines.test.ts');
    expect(both).toContain('src/server/cli/cli.test.ts');
    expect(sqlite).toContain('scripts/server-tests.test.ts');
    expect(postgres).not.toContain('scripts/server-tests.test.ts');
  });
});
