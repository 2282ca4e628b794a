// How soon the first command of a task runs, compared with the script alone.

import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster } from '../../test/helpers/postgres-cluster.ts';
import { addProject, install, launch, noted, now, untilEnd } from './installation.ts';
import type { Measure, Opened } from './measure.ts';

const rounds = 30;
const longestWaitMs = 30_000;

export async function measureLaunch(checkout: string): Promise<Opened> {
  const cluster = await startCluster();
  const embedded = await openLaunch(checkout, 'SQLite', {});
  const shared = await openLaunch(checkout, 'PostgreSQL', { SIGNALBOX_DATABASE_URL: cluster.url });
  return {
    measures: [embedded.measure, shared.measure],
    async end() {
      await embedded.end();
      await shared.end();
      await cluster.stop();
    },
  };
}

async function openLaunch(checkout: string, engine: string, env: Record<string, string>) {
  const installation = await install(checkout, { env });
  const note = join(installation.folder, 'note');
  const project = await addProject(installation, { 'note.sh': `date +%s%N > '${note}'\n` });
  const take = async (): Promise<number> => {
    await writeFile(note, '');
    const started = now();
    const { id } = await launch(installation.call, project, 'note.sh');
    const begun = await untilNoted(note);
    await untilEnd(installation.call, project, id);
    return begun - started;
  };
  const alone = async (): Promise<number> => {
    await writeFile(note, '');
    const started = now();
    spawn('bash', [join(project.code, 'note.sh')], { stdio: 'ignore' });
    return (await untilNoted(note)) - started;
  };
  // The first launch makes the mirror of the repository.
  await take();
  const measure: Measure = {
    what: `Launch to the first command of a script, idle, ${engine}`,
    unit: 'ms',
    rounds,
    take,
    beside: { name: 'the script alone', take: alone },
  };
  return { measure, end: installation.end };
}

/** The time that the script has written, in milliseconds. */
async function untilNoted(note: string): Promise<number> {
  const limit = performance.now() + longestWaitMs;
  while (performance.now() < limit) {
    if ((await readFile(note, 'utf8')).endsWith('\n')) return noted(note);
    await sleep(20);
  }
  throw new Error('The script did not begin.');
}
