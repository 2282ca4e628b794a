// The kinds of tasks in the drill of several servers: what each prints, and how it must end.

import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ApiCall } from './api-client.ts';

const run = promisify(execFile);

interface Kind {
  lines: number;
  /** How many seconds it prints; 0 means as fast as it can. */
  seconds: number;
  retries: number;
  endsWell: (taskId: number) => boolean;
}

const always = (): boolean => true;

export const kinds = {
  quick: { lines: 5, seconds: 0, retries: 0, endsWell: always },
  failing: { lines: 5, seconds: 0, retries: 0, endsWell: () => false },
  // The attempts of this task end differently.
  flaky: { lines: 10, seconds: 0.5, retries: 3, endsWell: (id) => id % 2 === 0 },
  slow: { lines: 60, seconds: 6, retries: 2, endsWell: always },
  loud: { lines: 4000, seconds: 0, retries: 1, endsWell: always },
} satisfies Record<string, Kind>;

type KindName = keyof typeof kinds;

// Kinds during which servers are killed come more often.
const turns: KindName[] = ['quick', 'slow', 'flaky', 'quick', 'loud', 'slow', 'failing'];

export const kindOf = (number: number): KindName => turns[number % turns.length] ?? 'quick';

/** The script says first that it runs, then prints numbered lines. */
function scriptOf({ lines, seconds }: Kind, name: string): string {
  const wait = seconds > 0 ? `; sleep ${seconds / lines}` : '';
  const ends: Record<string, string> = { failing: 'exit 3', flaky: 'exit $((id % 2))' };
  return `id=\${SIGNALBOX_RUN%%-*}
echo "$id" >> "$CLUSTER_RUNS"
for i in $(seq 1 ${lines}); do echo "line $i"${wait}; done
${ends[name] ?? 'exit 0'}
`;
}

async function writeRepository(code: string): Promise<void> {
  await mkdir(code);
  for (const [name, kind] of Object.entries(kinds)) {
    await writeFile(join(code, `${name}.sh`), scriptOf(kind, name));
  }
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Drill', '-c', 'user.email=drill@example.com', ...args], {
      cwd: code,
    });
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Drill');
}

export interface DrillProject {
  path: string;
  templates: Map<KindName, number>;
}

/**
 * Makes a project with a template of each kind; `runs` is the file in which each command notes that
 * it runs.
 */
export async function makeProject(
  call: ApiCall,
  { folder, runs }: { folder: string; runs: string },
): Promise<DrillProject> {
  const code = join(folder, 'code');
  await writeRepository(code);
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Drill' });
  const path = `/api/project/${id}`;
  const [key] = await call<{ id: number }[]>('GET', `${path}/keys`);
  const create = async (noun: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', `${path}/${noun}`, body)).id;
  const parts = {
    app: 'bash',
    allow_parallel_tasks: true,
    retry_delay_s: 1,
    repository_id: await create('repositories', {
      name: 'Code',
      git_url: code,
      git_branch: 'main',
      ssh_key_id: key?.id,
    }),
    environment_id: await create('environment', {
      name: 'Variables',
      env: JSON.stringify({ CLUSTER_RUNS: runs }),
    }),
  };
  const templates = new Map<KindName, number>();
  for (const name of Object.keys(kinds) as KindName[]) {
    const { retries } = kinds[name];
    const body = { name, playbook: `${name}.sh`, retries, ...parts };
    templates.set(name, await create('templates', body));
  }
  return { path, templates };
}
