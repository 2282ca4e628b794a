// The servers of a drill: they are killed with -9 at given moments, and started again.

import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectApi, type ApiCall } from './api-client.ts';
import { serverPassword, startServer, type TestServer } from './server.ts';

type Role = 'all' | 'web' | 'runner';

/** A kill of a server: after how many seconds, and for how many seconds the server is away. */
export interface Blow {
  after: number;
  to: Role;
  /** Kills all programs of its tasks too. */
  isWhole: boolean;
  away: number;
}

interface Node {
  role: Role;
  dataDir: string;
  /** Null while the server is killed. */
  server: TestServer | null;
  /** What each process of the server has printed. */
  printed: (() => string)[];
}

interface DrillServersOptions {
  roles: Role[];
  /** An empty database for several servers; null: the one server has its own. */
  databaseUrl: string | null;
  /** How many tasks each server runs at once. */
  atOnce: number;
  /** How long a server may take to start, in seconds. */
  startSeconds: number;
  /** Further settings of each server. */
  env?: Record<string, string>;
  tell: (text: string) => void;
}

const isUp = ({ server }: Node): boolean => server !== null;

export class DrillServers {
  readonly folder: string;
  kills = 0;
  readonly #nodes: Node[];
  readonly #env: Record<string, string>;
  readonly #options: DrillServersOptions;
  #isEnding = false;
  #asked = 0;

  private constructor(folder: string, options: DrillServersOptions) {
    this.folder = folder;
    this.#options = options;
    this.#nodes = options.roles.map((role, at) => {
      return { role, dataDir: join(folder, `${role}-${at}`), server: null, printed: [] };
    });
    const { databaseUrl } = options;
    this.#env = {
      ...(databaseUrl !== null && { SIGNALBOX_DATABASE_URL: databaseUrl }),
      PATH: `${resolve('test/fixtures/bin')}:${process.env['PATH']}`,
      SIGNALBOX_MASTER_KEY: randomBytes(32).toString('base64'),
      SIGNALBOX_LOCAL_REPOSITORIES: '/',
      SIGNALBOX_MAX_PARALLEL_TASKS: String(options.atOnce),
      // The compiled code is kept, because servers are started again and again.
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      ...options.env,
    };
  }

  static async start(options: DrillServersOptions): Promise<DrillServers> {
    const servers = new DrillServers(
      await mkdtemp(join(tmpdir(), 'signalbox-drill-servers-')),
      options,
    );
    const [first, ...others] = servers.#nodes;
    // The first server makes the tables.
    if (first) await servers.#start(first);
    await Promise.all(others.map((node) => servers.#start(node)));
    return servers;
  }

  async #start(node: Node): Promise<void> {
    node.server = await startServer({
      dataDir: node.dataDir,
      startSeconds: this.#options.startSeconds,
      env: { ...this.#env, SIGNALBOX_ROLE: node.role },
    });
    node.printed.push(node.server.printed);
  }

  /** Ends when all servers are back. Fails at once if one cannot be started again. */
  async strikeAll(blows: Iterable<Blow>, isOver: () => Promise<boolean>): Promise<void> {
    const returns: Promise<void>[] = [];
    const failed = Promise.withResolvers<never>();
    failed.promise.catch(() => undefined);
    let choice = 0;
    for (const blow of blows) {
      await Promise.race([delay(blow.after * 1000), failed.promise]);
      if (await isOver()) break;
      choice += 1;
      const back = this.#strike(blow, choice);
      back.catch(failed.reject);
      returns.push(back);
    }
    await Promise.all(returns);
  }

  /** Kills one of the running servers, unless others of its role are killed, and starts it again. */
  async #strike({ to, isWhole, away }: Blow, choice: number): Promise<void> {
    const all = this.#nodes.filter((node) => node.role === to);
    const up = all.filter(isUp);
    const node = up[choice % up.length];
    if (!node?.server || up.length < Math.min(2, all.length)) return;
    const { server } = node;
    node.server = null;
    this.kills += 1;
    const whose = isWhole ? ' and its tasks' : '';
    this.#options.tell(`killed ${to}${whose}, away for ${away.toFixed(0)} s`);
    if (isWhole) await killWhole(node);
    await server.end('SIGKILL');
    await delay(away * 1000);
    if (!this.#isEnding) await this.#start(node);
  }

  /** Answers another server for each request. */
  #findWeb(): string {
    const up = this.#nodes.filter((node) => node.role !== 'runner' && isUp(node));
    this.#asked += 1;
    // Nobody answers at this port.
    return up[this.#asked % up.length]?.server?.address ?? 'http://127.0.0.1:1';
  }

  /** Calls the API with one session, at any running server. */
  connect(): Promise<ApiCall> {
    const findWeb = (): string => this.#findWeb();
    return connectApi({
      password: serverPassword,
      get address() {
        return findWeb();
      },
    });
  }

  /** What each server has printed, by its name. */
  printed(): Map<string, string> {
    return new Map(
      this.#nodes.map(({ dataDir, printed }) => [
        basename(dataDir),
        printed.map((text) => text()).join('--- again\n'),
      ]),
    );
  }

  async tearDown(): Promise<void> {
    this.#isEnding = true;
    for (const node of this.#nodes) {
      await killWhole(node);
      await node.server?.stop();
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The processes of a server and of all its tasks. */
async function processesOf({ dataDir }: Node): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const own = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return text.includes(`=${dataDir}\0`) || text.includes(`=${dataDir}/`);
    }),
  );
  return pids.filter((_, index) => own[index]).map(Number);
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The process has ended meanwhile.
    }
  }
}

/** All processes are stopped first, so that none sees another one end, as in a power failure. */
async function killWhole(node: Node): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    const pids = await processesOf(node);
    if (pids.length === 0) return;
    signal(pids, 'SIGSTOP');
    signal(pids, 'SIGKILL');
    await delay(20);
  }
}

/** Whether no answer came. An error of the server is an answer. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');

/** The answers to one launch. A request without an answer may have launched something too. */
export interface Answers {
  answered: number[];
  unanswered: number;
}

/** Repeats a launch until an answer comes: then there may be two, and both are right. */
export async function launchAnswered(
  note: Answers,
  launch: () => Promise<{ id: number }>,
): Promise<void> {
  for (let tries = 0; tries < 300 && note.answered.length === 0; tries += 1) {
    try {
      note.answered.push((await launch()).id);
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      note.unanswered += 1;
      await delay(100);
    }
  }
}

/** When servers are killed, and for how long they stay away: ranges of seconds. */
interface DrillPace {
  between: [number, number];
  absences: [number, number][];
}

/** A killed server is back at once, or shortly before it would count as lost, or after that. */
export const ofSeveral: DrillPace = {
  between: [2, 8],
  absences: [
    [0, 4],
    [8, 16],
    [20, 30],
  ],
};

/** Nothing goes on while the only server is away. */
export const ofOne: DrillPace = { between: [1, 6], absences: [[0, 2]] };

/** Kills at random without an end, at servers of these roles. */
export function* randomBlows(
  random: () => number,
  roles: Role[],
  { between, absences }: DrillPace,
): Generator<Blow> {
  const within = ([least, most]: [number, number]): number => least + random() * (most - least);
  for (;;) {
    yield {
      after: within(between),
      to: roles[Math.floor(random() * roles.length)] ?? 'all',
      isWhole: random() < 0.4,
      away: within(absences[Math.floor(random() * absences.length)] ?? [0, 0]),
    };
  }
}
