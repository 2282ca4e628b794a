// How soon the script of a large repository begins that has not changed since the task before: one
// repository with many objects, and one with many files. Git alone is measured beside it.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { addProjectOf, install, type Installation } from './installation.ts';
import { launchToNote, noteTime } from './launches.ts';
import { inTurn, type Row, timed } from './rows.ts';

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
  const daemon = await serve(installation.folder);
  try {
    return [
      await measureObjects(installation, daemon.address),
      await measureFiles(installation, daemon.address),
    ];
  } finally {
    daemon.end();
    await installation.end();
  }
}

async function measureObjects(installation: Installation, at: string): Promise<Row> {
  const { launched, mirror, repository } = await prepare(installation, at, ofObjects);
  const fetched = () => timed(() => git('-C', mirror, 'fetch', '--quiet'));
  const { ours, theirs } = await inTurn(rounds, launched, fetched);
  const objects = Number(
    /^in-pack: (\d+)/m.exec(git('-C', repository, 'count-objects', '-v'))?.[1],
  );
  return {
    what: `Launch to the first command, of an unchanged repository with ${objects.toLocaleString('en')} objects`,
    unit: 'ms',
    ours,
    baseline: { name: 'git fetch, with nothing to fetch', values: theirs },
    target: { atMost: 300 },
  };
}

async function measureFiles(installation: Installation, at: string): Promise<Row> {
  const { launched, mirror } = await prepare(installation, at, ofFiles);
  const tree = join(installation.folder, 'tree');
  const ready = async (): Promise<number> => {
    await untilSpare(installation);
    return launched();
  };
  const laidOut = async (): Promise<number> => {
    // The runner of the server does the same work meanwhile.
    await untilSpare(installation);
    const ms = await timed(() => git('-C', mirror, 'worktree', 'add', '--quiet', tree, 'main'));
    git('-C', mirror, 'worktree', 'remove', '--force', tree);
    return ms;
  };
  const { ours, theirs } = await inTurn(rounds, ready, laidOut);
  return {
    what: `Launch to the first command, of an unchanged repository with ${manyFiles.toLocaleString('en')} files`,
    unit: 'ms',
    ours,
    baseline: { name: 'git worktree add', values: theirs },
    target: { atMost: 300 },
  };
}

interface Prepared {
  /** The bare repository that is served. */
  repository: string;
  /** A mirror of it, for git alone. */
  mirror: string;
  /** Launches its script; answers the milliseconds to the first command. */
  launched: () => Promise<number>;
}

async function prepare(
  { call, folder }: Installation,
  at: string,
  shape: Shape,
): Promise<Prepared> {
  const repository = join(folder, shape.name);
  const mirror = join(folder, `${shape.name}-mirror`);
  const note = join(folder, `${shape.name}-note`);
  await makeRepository(repository, shape, noteTime(note));
  git('clone', '--quiet', '--mirror', `${at}/${shape.name}`, mirror);
  const project = await addProjectOf(call, `${at}/${shape.name}`, ['note.sh']);
  const launched = () => launchToNote(call, project, note);
  // The first launch makes the mirror of the server.
  await launched();
  return { repository, mirror, launched };
}

/** Makes a bare repository by `git fast-import`: commits one by one would take minutes. */
async function makeRepository(path: string, shape: Shape, script: string): Promise<void> {
  git('init', '--quiet', '--bare', '--initial-branch=main', path);
  const child = spawn('git', ['-C', path, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  await pipeline(Readable.from(commitsOf(shape, script)), child.stdin);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`git fast-import ended with ${code}.`);
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
  // It listens long before the first repository is made.
  const end = (): void => void process.kill(-(daemon.pid ?? 0));
  return { address: `git://127.0.0.1:${port}`, end };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Settles when the files for the next run are ready, as between runs that do not follow at once. */
async function untilSpare({ dataDir }: Installation): Promise<void> {
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
