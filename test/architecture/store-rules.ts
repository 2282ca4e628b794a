// Who writes which table.

import { posix } from 'node:path';
import { type Rule, product } from './source.ts';

/** Tables that a second room writes, and why. */
const sharedTables: Record<string, string[]> = {
  // Whoever counts the tasks or the owners of a project holds its row for as long as that takes.
  projects: ['projects', 'members', 'tasks'],
  // The second factor lies in columns of its user.
  users: ['users', 'second-factor'],
};

const writes = /\.(?:insertInto|updateTable|deleteFrom)\(\s*'(?<table>\w+)'/g;

/** A store may read the rows of others, to join them with its own. It writes its own only. */
export const tablesHaveOneWriter: Rule = (files) => {
  const writers = new Map<string, Map<string, string>>();
  for (const { path, code } of product(files)) {
    if (!/^src\/server\/.*\.store\.ts$/.test(path)) continue;
    const room = posix.basename(posix.dirname(path));
    for (const { groups } of code.matchAll(writes)) {
      const table = groups?.['table'] ?? '';
      if (sharedTables[table]?.includes(room)) continue;
      writers.set(table, (writers.get(table) ?? new Map<string, string>()).set(room, path));
    }
  }
  return [...writers]
    .filter(([, rooms]) => rooms.size > 1)
    .map(
      ([table, rooms]) =>
        `${[...rooms.values()].join(' and ')} write the table ${table}: one room does.`,
    );
};
