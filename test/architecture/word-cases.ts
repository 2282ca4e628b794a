// Which words sentences and identifiers use.

import type { Case } from './case.ts';
import * as words from './word-rules.ts';

export const wordCases: Case[] = [
  {
    title: 'comments and messages use plain words instead of pictures',
    rule: words.plainWordsOnly,
    bad: [
      { 'src/server/keys/keys.ts': '// Sealed anew.' },
      { 'src/server/runners/runners.ts': '/** The tasks that a runner has in hand. */' },
      { 'test/wait.test.ts': 'const patience = 120;' },
    ],
    good: { 'src/server/keys/keys.ts': '// Sealed again.' },
  },
  {
    title: 'identifiers use the terms of the field',
    rule: words.fieldWordsOnly,
    bad: [
      { 'src/runner/start.ts': 'interface Place { url: string }' },
      { 'src/runner/start.ts': "import type { Desk } from './desk.ts';" },
      { 'src/server/live/follow.ts': 'const wake = new Bell(signal);' },
      { 'src/server/keys/keys.ts': 'export const seeKeys = (ctx: Context) => list(ctx);' },
      { 'src/server/keys/keys.ts': 'const mostKeys = 100;' },
    ],
    good: {
      'src/runner/start.ts': 'interface ServerConnection { url: string }',
      'src/server/keys/keys.ts': 'const MAX_KEYS = 100;\nexport const getKeys = list;',
    },
  },
];
