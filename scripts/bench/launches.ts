// What Signalbox adds to what a script or a playbook takes by itself.

import { execFileSync, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hearEnds } from './follow.ts';
import {
  addProject,
  type Engine,
  install,
  type Installation,
  launch,
  noted,
  now,
  type Project,
  untilEnd,
} from './installation.ts';
import { inTurn, quantile, type Row, timed } from './rows.ts';
import type { ApiCall } from '../../test/helpers/api-client.ts';

const launches = 30;
const playbookRuns = 9;
const longestWaitMs = 30_000;

const play = (rest: string): string => `- hosts: all\n${rest}`;

const playbooks = {
  'one.yml': play(
    `  gather_facts: false\n  tasks:\n    - ansible.builtin.debug: { msg: One task }\n`,
  ),
  'facts.yml': play(`  tasks:\n    - ansible.builtin.debug: { msg: One task }\n`),
  'lines.yml': play(
    `  gather_facts: false\n  tasks:\n    - ansible.builtin.debug: { msg: 'Line {{ item }}' }\n      loop: '{{ range(1200) }}'\n`,
  ),
};

export async function measureLaunches(): Promise<Row[]> {
  return [
    ...(await measureFirstCommand('SQLite')),
    ...(await measureFirstCommand('PostgreSQL')),
    ...(await measurePlaybooks()),
  ];
}

async function measureFirstCommand(engine: Engine): Promise<Row[]> {
  const installation = await install(engine);
  const note = join(installation.folder, 'note');
  const project = await addProject(installation, { 'note.sh': noteTime(note) });
  const launched = () => launchToNote(installation.call, project, note);
  const spawned = async (): Promise<number> => {
    await writeFile(note, '');
    const asked = now();
    spawn('bash', [join(project.code, 'note.sh')], { stdio: 'ignore' });
    return (await untilNoted(note)) - asked;
  };
  try {
    // The first launch makes the mirror of the repository.
    await launched();
    const { ours, theirs } = await inTurn(launches, launched, spawned);
    const what = `Launch to the first command of a script, idle, ${engine}`;
    const baseline = { name: 'the script alone', values: theirs };
    const late = { name: 'the script alone', values: [quantile(theirs, 0.95)] };
    return [
      { what: `${what}, median`, unit: 'ms', ours, baseline, target: { atMost: 40 } },
      {
        what: `${what}, 95th percentile`,
        unit: 'ms',
        ours: [quantile(ours, 0.95)],
        baseline: late,
        target: { atMost: 100 },
      },
    ];
  } finally {
    await installation.end();
  }
}

/** A script whose first command writes the time into a file. */
export const noteTime = (note: string): string => `date +%s%N > '${note}'\n`;

/** The milliseconds from the launch of `note.sh`, which is such a script, to its first command. */
export async function launchToNote(
  call: ApiCall,
  project: Pick<Project, 'path' | 'templates'>,
  note: string,
): Promise<number> {
  await writeFile(note, '');
  const asked = now();
  const { id } = await launch(call, project, 'note.sh');
  const begun = await untilNoted(note);
  await untilEnd(call, project, id);
  return begun - asked;
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

async function measurePlaybooks(): Promise<Row[]> {
  const installation = await install();
  try {
    const project = await addProject(installation, playbooks);
    return [
      await comparePlaybook(installation, project, { file: 'one.yml', what: 'of one task' }, 1.1),
      await comparePlaybook(installation, project, { file: 'facts.yml', what: 'with facts' }, 1.05),
      await comparePlaybook(
        installation,
        project,
        { file: 'lines.yml', what: 'of 5,000 lines' },
        1.05,
      ),
    ];
  } finally {
    await installation.end();
  }
}

/** From the launch to the end that the client sees, beside Ansible in the same working tree. */
async function comparePlaybook(
  installation: Installation,
  project: Project,
  { file, what }: { file: keyof typeof playbooks; what: string },
  ratioAtMost: number,
): Promise<Row> {
  const { call, folder } = installation;
  const ends = await hearEnds(installation, project.id);
  const hosts = join(folder, 'hosts');
  await writeFile(hosts, 'localhost ansible_connection=local\n');
  const launched = (): Promise<number> =>
    timed(async () => ends.of((await launch(call, project, file)).id));
  const alone = (): Promise<number> =>
    timed(() =>
      execFileSync('ansible-playbook', ['-i', hosts, file], { cwd: project.code, stdio: 'ignore' }),
    );
  await launched();
  await alone();
  const { ours, theirs } = await inTurn(playbookRuns, launched, alone);
  ends.close();
  const baseline = { name: 'ansible-playbook', values: theirs };
  return { what: `A playbook ${what}`, unit: 'ms', ours, baseline, target: { ratioAtMost } };
}
