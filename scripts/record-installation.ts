// `npm run record:installation -- [NAME [CHECKOUT]]`: records the data of an installation on both engines
// into `test/upgrade/NAME`. NAME is otherwise the version and today, and CHECKOUT this one.

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { version } from '../src/node/process/version.ts';
import { startCluster } from '../test/helpers/postgres-cluster.ts';
import { recordings } from '../test/helpers/recorded/fixture.ts';
import { record } from '../test/helpers/recorded/record.ts';

const today = new Date().toISOString().slice(0, 10);
const [name = `${version}-${today}`, checkout = '.'] = process.argv.slice(2);
const folder = join(recordings, name);
if (existsSync(folder)) {
  console.error(`${folder} is there already. A recording of a release is never made again.`);
  process.exit(1);
}
const cluster = await startCluster();
try {
  for (const databaseUrl of [null, cluster.url]) {
    const engine = databaseUrl === null ? 'sqlite' : 'postgres';
    await record({ checkout: resolve(checkout), to: join(folder, engine), databaseUrl });
    console.log(`Recorded on ${engine}: ${join(folder, engine)}`);
  }
} catch (error) {
  // A half recording would look like a whole one.
  await rm(folder, { recursive: true, force: true });
  throw error;
} finally {
  await cluster.stop();
}
