// `npm run drill:workflows [-- --runs 200 --seconds 1800 --seed 1 --servers one|several]`: runs of a
// workflow of seven nodes, while the servers are killed with -9 at random. Prints what went wrong; every
// count must be 0.

import { parseArgs } from 'node:util';
import { failIfAny } from './drill-logs.ts';
import { ofOne, ofSeveral, randomBlows } from '../test/helpers/drill-servers.ts';
import { createDatabase } from '../test/helpers/postgres.ts';
import { startCluster } from '../test/helpers/postgres-cluster.ts';
import { newSeed, randomNumber } from '../test/helpers/random.ts';
import { runWorkflowDrill } from '../test/helpers/workflow-drill.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '1800' },
    seed: { type: 'string', default: String(newSeed()) },
    servers: { type: 'string', default: 'one' },
  },
});

const random = randomNumber(Number(values.seed));
const isOne = values.servers === 'one';
const postgres = isOne ? null : await startCluster();
try {
  console.log(`seed ${values.seed}, servers: ${values.servers}`);
  const result = await runWorkflowDrill({
    databaseUrl: postgres && (await createDatabase(postgres.url, 'drill')),
    runs: Number(values.runs),
    seconds: Number(values.seconds),
    blows: isOne
      ? randomBlows(random, ['all'], ofOne)
      : randomBlows(random, ['web', 'runner', 'runner'], ofSeveral),
    tell: (text) => console.log(text),
  });
  const { counts, runs, tasks, unanswered, kills, seconds, findings } = result;
  for (const finding of findings) console.log(`  ${finding}`);
  console.log(
    `${runs} runs, ${tasks} tasks, ${kills} kills, ${unanswered} launches without an answer, ${seconds.toFixed(0)} s`,
  );
  console.log(`lost ${counts.lost}, stuck ${counts.stuck}, doubled ${counts.doubled}`);
  failIfAny(Object.values(counts), result.printed);
} finally {
  await postgres?.stop();
}
