// `npm run bench:move`: measures how long `signalbox migrate --from sqlite` takes for 100,000 tasks
// whose stored logs have a gigabyte. `--tasks` and `--mib` make it shorter.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openContext } from '../src/server/open-context.ts';
import { loadConfig } from '../src/server/config/config.ts';
import type { Context } from '../src/server/context/context.ts';
import { createLog } from '../src/runner/system/log.ts';
import { insertMany } from '../test/helpers/many/insert.ts';
import { firstId } from '../test/helpers/many/rows.ts';
import { startCluster } from '../test/helpers/postgres-cluster.ts';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '100000' },
    mib: { type: 'string', default: '1024' },
  },
});
const tasks = Number(values.tasks);
const bytes = Number(values.mib) * 1024 * 1024;

/** The logs are compressed already, so no database can store them in less space. */
async function addLogs({ db }: Context): Promise<void> {
  const each = Math.ceil(bytes / tasks);
  const time = new Date().toISOString();
  const atOnce = 500;
  for (let first = 0; first < tasks; first += atOnce) {
    const rows = Array.from({ length: Math.min(atOnce, tasks - first) }, (_, index) => ({
      task_id: firstId + first + index,
      first_line: 1,
      lines: 100,
      bytes: each * 10,
      time,
      data: randomBytes(each),
    }));
    await db.insertInto('task_log_chunks').values(rows).execute();
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-move-'));
const cluster = await startCluster();
try {
  const ctx = await openContext({
    config: { ...loadConfig({}), dataDir },
    log: createLog('fatal'),
  });
  const bigShare = { templates: 100, tasks: tasks / 2, events: 5000 };
  const sizes = { projects: 20, users: 50, templates: 1000, events: 10_000, things: 5 };
  await insertMany(ctx, { ...sizes, tasks, bigShare });
  await addLogs(ctx);
  await ctx.close();
  const { size } = await stat(join(dataDir, 'signalbox.db'));
  const mib = (count: number): string =>
    `${Math.round(count / 1024 / 1024).toLocaleString('en')} MiB`;
  console.log(`${tasks.toLocaleString('en')} tasks, an SQLite database of ${mib(size)}`);
  process.env['SIGNALBOX_DATA_DIR'] = dataDir;
  process.env['SIGNALBOX_DATABASE_URL'] = cluster.url;
  const began = performance.now();
  const child = spawn(process.execPath, ['src/server/main.ts', 'migrate', '--from', 'sqlite'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // The largest memory of the process, as the system reported it while the process lived.
  let memory = '';
  const watching = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    memory = /VmHWM:\s+(.*)/.exec(status)?.[1] ?? memory;
  }, 200);
  const [code] = await once(child, 'exit');
  clearInterval(watching);
  const seconds = (performance.now() - began) / 1000;
  const load = loadavg()[0]?.toFixed(1);
  console.log(`${seconds.toFixed(0)} s, exit code ${code}, memory at most ${memory}`);
  console.log(`${cpus().length} processors, load ${load}`);
} finally {
  await cluster.stop();
  await rm(dataDir, { recursive: true, force: true });
}
