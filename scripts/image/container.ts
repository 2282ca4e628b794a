// Runs containers of the image without an engine: buildah changes the root, and namespaces of the
// kernel keep the processes and the memory files of a container apart from those of the machine.

import { execFile, spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

export interface Container {
  printed: () => string;
  /** What an engine does first to stop a container: SIGTERM to its first program. */
  stop: () => Promise<{ seconds: number }>;
  kill: () => void;
}

interface ContainerOptions {
  settings: Record<string, string>;
  /** Paths in the container and the folders of the machine that lie there. */
  volumes?: Record<string, string>;
  command?: string[];
}

// The seven of compose.yaml. `buildah run` cannot add single ones after it has dropped all.
const withRights = [
  'setpriv',
  '--bounding-set=-all,+setuid,+setgid,+chown,+fowner,+dac_override,+kill,+setpcap',
  '--no-new-privs',
];

const longestStopMs = 60_000;

/** The command line that runs a command in the container. */
function wordsOf(working: string, { settings, volumes = {}, command }: ContainerOptions): string[] {
  const args = [
    ...Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`),
    ...Object.entries(volumes).map(([path, folder]) => `--volume=${folder}:${path}`),
  ];
  const shm = 'mount -t tmpfs -o size=256m,mode=1777 tmpfs /dev/shm && exec "$@"';
  const apart = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const run = ['buildah', 'run', '--isolation', 'chroot', ...args, working, '--', ...withRights];
  // As a child of buildah, tini has to register as the parent of orphans (-s).
  const first = ['tini', '-s', '--', ...(command ?? ['signalbox', 'server'])];
  return [...apart, 'sh', '-c', shm, 'sh', ...run, ...first];
}

/** Runs a program in the container to its end, and returns what it prints. */
export async function runInside(
  working: string,
  command: string[],
  given: Omit<ContainerOptions, 'command'> = { settings: {} },
): Promise<string> {
  const run = promisify(execFile);
  return (await run('unshare', wordsOf(working, { ...given, command }))).stdout;
}

/** Starts the server, or another command, in the container. */
export function startContainer(working: string, given: ContainerOptions): Container {
  const child = spawn('unshare', wordsOf(working, given), { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const kill = (): void => void child.kill('SIGKILL');
  const stop = async (): Promise<{ seconds: number }> => {
    const started = performance.now();
    const first = descendantsOf(child.pid ?? 0).find((pid) => nameOf(pid) === 'tini');
    if (first === undefined) throw new Error(`The container has no first program:\n${text}`);
    process.kill(first, 'SIGTERM');
    const force = setTimeout(kill, longestStopMs);
    await ended;
    clearTimeout(force);
    return { seconds: (performance.now() - started) / 1000 };
  };
  return { printed: () => text, stop, kill };
}

/** Each thread has a list of the processes that it has started, and buildah has several threads. */
function descendantsOf(pid: number): number[] {
  const lists = globSync(`/proc/${pid}/task/*/children`).map(read);
  const children = lists.join(' ').split(/\s+/).filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

const nameOf = (pid: number): string => read(`/proc/${pid}/comm`).trim();

/** The content of a file of a process, which may end at any moment. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
