// Which noun writes which table.

import { nounOf } from './nouns.ts';
import { type Rule, product } from './source.ts';

/** Tables that a second noun writes, each with the reason. */
const sharedTables: Record<string, string[]> = {
  // Whoever counts the tasks or the owners of a project locks its row meanwhile.
  projects: ['projects', 'members', 'tasks'],
  // The second factor is in columns of its user.
  users: ['users', 'second-factor'],
};

const writes =
  /(?:\.(?:insertInto|updateTable|deleteFrom)\(|\b(?:insertRow|updateRows|deleteRows)\(\s*\w+,)\s*'(?<table>\w+)'/g;

/** A store may read rows of other nouns, to join them with its own rows. It writes only its own. */
export const tablesHaveOneWriter: Rule = (files) => {
  const writers = new Map<string, Map<string, string>>();
  for (const { path, code } of product(files)) {
    if (!/^src\/server\/.*\.store\.ts$/.test(path)) continue;
    const noun = nounOf(path);
    for (const { groups } of code.matchAll(writes)) {
      const table = groups?.['table'] ?? '';
      if (sharedTables[table]?.includes(noun)) continue;
      writers.set(table, (writers.get(table) ?? new Map<string, string>()).set(noun, path));
    }
  }
  return [...writers]
    .filter(([, nouns]) => nouns.size > 1)
    .map(
      ([table, nouns]) =>
        `${[...nouns.values()].join(' and ')} write the table ${table}: one noun does.`,
    );
};
