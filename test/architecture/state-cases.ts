import type { Case } from './case.ts';
import * as state from './state-rules.ts';

export const stateCases: Case[] = [
  {
    title: 'no module of server or runner has state of its own',
    rule: state.noStateOfModules,
    bad: [
      { 'src/server/keys/keys.ts': 'let count = 0;' },
      { 'src/runner/git/mirror.ts': 'export let last: string | null = null;' },
      { 'src/node/async/locks.ts': 'const locks = new Map<string, Promise<unknown>>();' },
      { 'src/server/keys/keys.ts': 'const seen: Set<number> = new Set();' },
      { 'src/server/keys/keys.ts': 'const all = new Semaphore(2);' },
      { 'src/server/keys/keys.ts': 'const waiting: string[] = [];' },
      { 'src/server/keys/keys.ts': 'const byName: Record<string, number> = {};' },
    ],
    good: {
      'src/server/keys/keys.ts':
        "const kinds = new Set(['ssh']);\nconst names = new Map<string, number>([['a', 1]]);\nconst word = new RegExp('a');",
      'src/server/keys/kept.ts':
        'const kept = new WeakMap<Db, string>();\nconst of = stateOf(() => new Map<string, string>());',
      'src/server/keys/count.ts': 'function count() {\n  let count = 0;\n  return count;\n}',
      'src/web/lib/live.ts': 'let socket = null;',
    },
  },
];
