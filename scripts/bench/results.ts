// What following a playbook and recording its results costs, compared with `ansible-playbook` alone; and
// how fast the results are read.

import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { followEnds } from './follow.ts';
import { addProject, install, launch } from './installation.ts';
import { type Measure, type Opened, timed } from './measure.ts';

const play = (tasks: string): string => `- hosts: all\n  gather_facts: false\n  tasks:\n${tasks}`;

const steps = Array.from(
  { length: 20 },
  (_, at) => `    - { name: Task ${at}, set_fact: { at: ${at} } }\n`,
);

const addHosts = `    - add_host: { name: 'host-{{ item }}', groups: many, ansible_connection: local }
      loop: '{{ range(20) }}'
`;

const playbooks = {
  'one.yml': ['of one task', play('    - debug: { msg: One task }\n')],
  'lines.yml': [
    'with a loop of 1,200 items',
    play(`    - debug: { msg: 'Line {{ item }}' }\n      loop: '{{ range(1200) }}'\n`),
  ],
  'hosts.yml': [
    'of 20 tasks on 20 hosts',
    play(addHosts) + play(steps.join('')).replace('hosts: all', 'hosts: many'),
  ],
} as const;

export async function measureResults(checkout: string): Promise<Opened> {
  const installation = await install(checkout);
  const { call, folder } = installation;
  const files = Object.fromEntries(
    Object.entries(playbooks).map(([file, [, text]]) => [file, text]),
  );
  const project = await addProject(installation, files);
  const ends = await followEnds(installation, project.id);
  const inventory = join(folder, 'hosts');
  await writeFile(inventory, 'localhost ansible_connection=local\n');
  let newest = 0;
  const run = async (file: string): Promise<void> => {
    newest = (await ends.of((await launch(call, project, file)).id)).id;
  };
  const runAlone = (file: string): void => {
    const args = ['-i', inventory, file];
    execFileSync('ansible-playbook', args, { cwd: project.code, stdio: 'ignore' });
  };
  await run('one.yml');
  const runs = Object.entries(playbooks).map(([file, [what]]): Measure => ({
    what: `A playbook ${what}, launch to end`,
    unit: 'ms',
    rounds: 5,
    take: () => timed(() => run(file)),
    beside: { name: 'ansible-playbook', take: () => timed(() => runAlone(file)) },
  }));
  const reads = ['hosts', 'results'].map((list): Measure => ({
    what: `The ${list} of the last one in one answer`,
    unit: 'ms',
    rounds: 30,
    take: () => timed(() => call('GET', `${project.path}/tasks/${newest}/${list}`)),
  }));
  return {
    measures: [...runs, ...reads],
    end() {
      ends.close();
      return installation.end();
    },
  };
}
