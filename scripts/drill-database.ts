// `npm run drill:database [-- --seed 1 --tasks 200 --runs 50 --faults 300 --engine postgres|sqlite]`:
// tasks and runs of a workflow, while their database is cut off, slow, read-only, locked, full or away;
// with SQLite: busy, on a full disk, or on a disk that returns errors, which needs gcc.
// Prints what went wrong; every count must be 0.

import { parseArgs } from 'node:util';
import { failIfAny } from './drill-logs.ts';
import { drillPostgres, drillSqlite } from '../test/helpers/database-drills.ts';
import { createDatabase } from '../test/helpers/postgres.ts';
import { startCluster } from '../test/helpers/postgres-cluster.ts';
import { newSeed } from '../test/helpers/random.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(newSeed()) },
    tasks: { type: 'string', default: '200' },
    runs: { type: 'string', default: '50' },
    faults: { type: 'string', default: '300' },
    engine: { type: 'string', default: 'postgres' },
  },
});

console.log(`seed ${values.seed}, engine: ${values.engine}`);
const options = {
  seed: Number(values.seed),
  most: {
    tasks: Number(values.tasks),
    runs: Number(values.runs),
    faults: Number(values.faults),
  },
  tell: (text: string) => console.log(text),
};
const postgres = values.engine === 'sqlite' ? null : await startCluster();
try {
  const result = postgres
    ? await drillPostgres(await createDatabase(postgres.url, 'drill'), options)
    : await drillSqlite(options, false);
  const { counts, tasks, runs, faults, findings } = result;
  for (const finding of findings) console.log(`  ${finding}`);
  const count = [...faults.values()].reduce((sum, one) => sum + one, 0);
  console.log(`${tasks} tasks and attempts, ${runs} runs, ${count} faults:`);
  for (const name of [...faults.keys()].toSorted()) console.log(`  ${name}: ${faults.get(name)}`);
  console.log(
    Object.entries(counts)
      .map(([name, number]) => `${name} ${number}`)
      .join(', '),
  );
  failIfAny(Object.values(counts), result.printed);
} finally {
  await postgres?.stop();
}
