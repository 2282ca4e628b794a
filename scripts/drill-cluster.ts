// `npm run drill:cluster [-- --tasks 1000 --seconds 1800 --seed 1]`: two web and three runner
// servers on one PostgreSQL database, which are killed with -9 at random while tasks run. Prints
// what went wrong; every count must be 0.

import { parseArgs } from 'node:util';
import { failIfAny } from './drill-logs.ts';
import { runClusterDrill } from '../test/helpers/cluster-drill.ts';
import { ofSeveral, randomBlows } from '../test/helpers/drill-servers.ts';
import { createDatabase } from '../test/helpers/postgres.ts';
import { startCluster } from '../test/helpers/postgres-cluster.ts';
import { newSeed, randomNumber } from '../test/helpers/random.ts';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '1800' },
    seed: { type: 'string', default: String(newSeed()) },
  },
});

const postgres = await startCluster();
try {
  console.log(`seed ${values.seed}`);
  const result = await runClusterDrill({
    databaseUrl: await createDatabase(postgres.url, 'drill'),
    tasks: Number(values.tasks),
    seconds: Number(values.seconds),
    blows: randomBlows(randomNumber(Number(values.seed)), ['web', 'runner', 'runner'], ofSeveral),
    tell: (text) => console.log(text),
  });
  const { counts, tasks, unanswered, kills, seconds, findings } = result;
  for (const finding of findings) console.log(`  ${finding}`);
  console.log(
    `${tasks} tasks and attempts, ${kills} kills, ${unanswered} launches without an answer, ${seconds.toFixed(0)} s`,
  );
  const { lost, stuck, doubled, linesLost, linesDoubled } = counts;
  console.log(
    `lost ${lost}, stuck ${stuck}, doubled ${doubled}, lines lost ${linesLost}, lines doubled ${linesDoubled}`,
  );
  failIfAny(Object.values(counts), result.printed);
} finally {
  await postgres.stop();
}
