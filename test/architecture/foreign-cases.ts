// Only few places read and parse what others have written.

import type { Case } from './case.ts';
import * as text from './text-rules.ts';

export const foreignCases: Case[] = [
  {
    title: 'only runner/sandbox reads what comes from a checkout',
    rule: text.onlyForeignReadsCheckouts,
    bad: [
      { 'src/runner/apps/new-app.ts': "import { readFile } from 'node:fs/promises';" },
      { 'src/runner/apps/new-app.ts': "import { mkdir, stat } from 'node:fs';" },
      { 'src/runner/apps/new-app.ts': "import * as fs from 'node:fs';" },
      {
        'src/runner/apps/new-app.ts':
          "import { readSmallFile } from '../../node/fs/small-file.ts';",
      },
      {
        'src/runner/workspace/pins.ts':
          "import { readFile } from 'node:fs/promises';\nawait readFile(workspace.checkout);",
      },
    ],
    good: {
      'src/runner/apps/new-app.ts': "import { lstat, mkdir } from 'node:fs/promises';",
      'src/runner/workspace/pins.ts': "import { readFile } from 'node:fs/promises';",
      'src/server/keys/keys.ts': "import { readFile } from 'node:fs/promises';",
    },
  },
  {
    title: 'only a program of its own parses YAML of others',
    rule: text.onlyOneProgramParsesYaml,
    bad: [
      { 'src/runner/prepare/requirements.ts': "import { parse } from 'yaml';" },
      { 'src/server/backups/plan.ts': "const { parse } = await import('yaml');" },
    ],
    good: { 'src/runner/sandbox/requirements-file.ts': "import { parse } from 'yaml';" },
  },
  {
    title: 'the output of programs is searched in named files only',
    rule: text.onlyNamedFilesSearchOutput,
    bad: [
      {
        'src/runner/apps/new-app.ts':
          'const { stdout } = await run();\nif (/x/.test(stdout)) go();',
      },
      { 'src/server/stats/stats.ts': 'pattern.exec((await run()).stderr);' },
    ],
    good: {
      'src/runner/apps/new-app.ts': 'const { stdout } = await run();\nJSON.parse(stdout);',
      'src/runner/apps/tools.ts': 'pattern.exec((await run()).stdout);',
      'src/runner/log/mask.ts': 'text.matchAll(pattern);',
    },
  },
];
