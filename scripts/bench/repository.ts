// How soon the script of a large repository begins that has not changed since the task before: one
// repository with many objects, and one with many files. Git alone is measured beside it.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/helpers/free-port.ts';
import { addProjectOf, install, type Installation } from './installation.ts';
import { launchToNote, noteTime } from './launches.ts';
import { inTurn, repeat, type Row, timed } from './rows.ts';
import type { ApiCall } from '../../test/helpers/api-client.ts';

const rounds = 10;
const manyFiles = 10_000;
const manyCommits = 100_000;
const longestWaitMs = 60_000;

interface Shape {
  name: string;
  files: number;
  folders: number;
  /** Commits after the first one; each changes two files in two folders, so it has six objects. */
  commits: number;
}

const ofObjects: Shape = { name: 'objects', files: 500, folders: 50, commits: manyCommits };
const ofFiles: Shape = { name: 'files', files: manyFiles, folders: 100, commits: 0 };

export async function measureRepository(): Promise<Row[]> {
  const installation = await install();
  const { call, folder } = installation;
  const daemon = await serve(folder);
  try {
    const large = await makeRepository(folder, daemon.address, ofFiles);
    // This comes before all launches and removes nothing: for a minute after many files were removed,
    // ext4 makes new ones several times as slowly.
    const laidOut = await repeat(rounds, () => layOut(large, folder));
    const long = await makeRepository(folder, daemon.address, ofObjects);
    return [await measureObjects(call, long), await measureFiles(installation, large, laidOut)];
  } finally {
    daemon.end();
    await installation.end();
  }
}

/** The milliseconds that git alone takes to lay out the files. */
async function layOut({ mirror }: Repository, folder: string): Promise<number> {
  const tree = await mkdtemp(join(folder, 'tree-'));
  return timed(() => git('-C', mirror, 'worktree', 'add', '--quiet', '--detach', tree, 'main'));
}

async function measureObjects(call: ApiCall, repository: Repository): Promise<Row> {
  const { path, mirror } = repository;
  const launched = await launcherOf(call, repository);
  const fetched = () => timed(() => git('-C', mirror, 'fetch', '--quiet'));
  const { ours, theirs } = await inTurn(rounds, launched, fetched);
  const objects = Number(/^in-pack: (\d+)/m.exec(git('-C', path, 'count-objects', '-v'))?.[1]);
  return {
    what: `Launch to the first command, of an unchanged repository with ${objects.toLocaleString('en')} objects`,
    unit: 'ms',
    ours,
    baseline: { name: 'git fetch, with nothing to fetch', values: theirs },
    target: { atMost: 300 },
  };
}

async function measureFiles(
  { call, dataDir }: Installation,
  repository: Repository,
  laidOut: number[],
): Promise<Row> {
  const launched = await launcherOf(call, repository);
  const ours = await repeat(rounds, async () => {
    await untilSpare(dataDir);
    return launched();
  });
  return {
    what: `Launch to the first command, of an unchanged repository with ${manyFiles.toLocaleString('en')} files`,
    unit: 'ms',
    ours,
    baseline: { name: 'git worktree add', values: laidOut },
    target: { atMost: 300 },
  };
}

/** Answers what launches the script and measures the milliseconds to its first command. */
async function launcherOf(
  call: ApiCall,
  { address, note }: Repository,
): Promise<() => Promise<number>> {
  const project = await addProjectOf(call, address, ['note.sh']);
  const launched = () => launchToNote(call, project, note);
  // The first launch makes the mirror of the server.
  await launched();
  return launched;
}

interface Repository {
  path: string;
  /** Where it is served. */
  address: string;
  /** A mirror of it, for git alone. */
  mirror: string;
  /** The file into which its script writes the time. */
  note: string;
}

/** Makes a bare repository by `git fast-import`: commits one by one would take minutes. */
async function makeRepository(folder: string, at: string, shape: Shape): Promise<Repository> {
  const [path, address] = [join(folder, shape.name), `${at}/${shape.name}`];
  const [mirror, note] = [`${path}-mirror`, `${path}-note`];
  git('init', '--quiet', '--bare', '--initial-branch=main', path);
  const child = spawn('git', ['-C', path, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  await pipeline(Readable.from(commitsOf(shape, noteTime(note))), child.stdin);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`git fast-import ended with ${code}.`);
  git('clone', '--quiet', '--mirror', address, mirror);
  return { path, address, mirror, note };
}

/** What `git fast-import` reads: one piece for each commit. */
function* commitsOf({ files, folders, commits }: Shape, script: string): Generator<string> {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const commit = (number: number): string =>
    `commit refs/heads/main\ncommitter A <a@example.com> ${1_700_000_000 + number} +0000\n${data(`Change ${number}`)}`;
  const file = (index: number, number: number): string =>
    `M 100644 inline d${index % folders}/f${index}.yml\n${data(`# ${index} ${number}\n${'line of a file\n'.repeat(20)}`)}`;
  const all = Array.from({ length: files }, (_, index) => file(index, 0));
  yield `${commit(0)}M 100644 inline note.sh\n${data(script)}${all.join('')}`;
  for (let number = 1; number <= commits; number += 1) {
    const index = (number * 7919) % files;
    yield commit(number) + file(index, number) + file((index + 1) % files, number);
  }
}

interface Daemon {
  /** The address of the folder. */
  address: string;
  end: () => void;
}

/** Serves the repositories in a folder at an address of this machine. */
async function serve(folder: string): Promise<Daemon> {
  const port = await freePort();
  const where = ['--listen=127.0.0.1', `--port=${port}`, `--base-path=${folder}`];
  // Git starts the daemon as a child of its own, so all of the group are ended.
  const daemon = spawn('git', ['daemon', '--export-all', ...where, folder], {
    stdio: 'ignore',
    detached: true,
  });
  // It listens before the first repository is made.
  const end = (): void => void process.kill(-(daemon.pid ?? 0));
  return { address: `git://127.0.0.1:${port}`, end };
}

/** Settles when the files for the next run are ready, as between runs that do not follow at once. */
async function untilSpare(dataDir: string): Promise<void> {
  const spares = join(dataDir, 'spares');
  const limit = performance.now() + longestWaitMs;
  while (performance.now() < limit) {
    for (const name of await namesIn(spares)) {
      if ((await namesIn(join(spares, name))).includes('index')) return;
    }
    await sleep(100);
  }
  throw new Error('No files were made ready for the next run.');
}

/** None if the folder is not there. */
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' });
