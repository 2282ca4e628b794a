// How fast a long log is stored and read, compared with the same lines in a file.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { followEnds } from './follow.ts';
import { addProject, install, type Installation, launch, type Project } from './installation.ts';
import { type Measure, type Opened, timed } from './measure.ts';

const lines = 200_000;
const atOnce = 5;
const rounds = 5;

const flood = `exec awk 'BEGIN { for (i = 1; i <= ${lines}; i++) printf "ok: [host-%d.example.com] => (item=package-%d) changed=0\\n", i % 40, i }'\n`;

export async function measureLog(checkout: string): Promise<Opened> {
  const env = { SIGNALBOX_MAX_PARALLEL_TASKS: String(atOnce) };
  const installation = await install(checkout, { env });
  const { call, folder } = installation;
  const project = await addProject(installation, { 'flood.sh': flood });
  const ends = await followEnds(installation, project.id);
  let newest = 0;
  const run = async (): Promise<void> => {
    const { id } = await launch(call, project, 'flood.sh');
    const { log_lines: stored } = await ends.of(id);
    // The server adds some lines of its own.
    if (stored < lines) throw new Error(`${stored} of ${lines} lines were stored.`);
    newest = id;
  };
  const intoFile = (): Promise<number> =>
    timed(() => runIntoFile(join(project.code, 'flood.sh'), join(folder, 'lines')));
  await run();
  const what = `A script of ${lines.toLocaleString('en')} lines`;
  const measures: Measure[] = [
    {
      what: `${what}, launch to end`,
      unit: 'ms',
      rounds,
      take: () => timed(run),
      beside: { name: 'the same into a file, with fsync', take: intoFile },
    },
    {
      what: `${what}: its whole log in one answer`,
      unit: 'ms',
      rounds,
      take: () => timed(() => readLog(installation, `${project.path}/tasks/${newest}/output`)),
      beside: { name: 'the same into a file, with fsync', take: intoFile },
    },
    {
      what: `${atOnce} such scripts at once: a page of the list of tasks meanwhile`,
      unit: 'ms',
      rounds: 1,
      take: () =>
        readWhile(installation, project, Promise.all(Array.from({ length: atOnce }, run))),
    },
  ];
  return {
    measures,
    end() {
      ends.close();
      return installation.end();
    },
  };
}

/** The milliseconds of each page of the list of tasks, read in turn until the work is done. */
async function readWhile(
  { call }: Installation,
  { path }: Project,
  work: Promise<unknown>,
): Promise<number[]> {
  const over = new AbortController();
  const done = work.finally(() => over.abort());
  const times: number[] = [];
  do times.push(await timed(() => call('GET', `${path}/tasks/last?limit=50`)));
  while (!over.signal.aborted);
  await done;
  return times;
}

async function readLog({ server, cookie }: Installation, path: string): Promise<void> {
  const headers = { cookie, 'accept-encoding': 'identity' };
  const response = await fetch(`${server.address}${path}`, { headers });
  const text = await response.text();
  if (!response.ok || !text.includes(`package-${lines})`)) throw new Error('The log is not whole.');
}

/** Runs a script whose output goes into a file, and waits for the disk. */
async function runIntoFile(script: string, file: string): Promise<void> {
  const command = `bash '${script}' | dd of='${file}' conv=fsync status=none`;
  const child = spawn('sh', ['-c', command], { stdio: 'ignore' });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error('The lines were not written into a file.');
}
