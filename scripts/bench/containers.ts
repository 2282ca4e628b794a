// How soon the first command of a task runs in a container, and how long a playbook takes there, compared with
// `podman run` of the same image by hand.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPodman } from '../../test/helpers/containers.ts';
import { buildArchive } from '../../test/toolchains/containers/image.ts';
import { until } from '../../test/helpers/until.ts';
import { followEnds } from './follow.ts';
import { addProject, type Installation, install, launch, now } from './installation.ts';
import { type Measure, type Opened, timed } from './measure.ts';

const image = 'localhost/debian-ansible:1';

/** As long as a small playbook of a team: facts, files and a few commands. */
const playbook = `- hosts: all
  vars: { place: "{{ lookup('pipe', 'mktemp -d') }}" }
  tasks:
    - ansible.builtin.set_fact: { place: "{{ place }}" }
    - ansible.builtin.copy: { content: "{{ item }}", dest: "{{ place }}/{{ item }}" }
      loop: [one, two, three, four, five]
    - ansible.builtin.command: cat {{ place }}/{{ item }}
      loop: [one, two, three, four, five]
    - ansible.builtin.file: { path: "{{ place }}", state: absent }
`;

export async function measureContainers(checkout: string): Promise<Opened> {
  const podman = startPodman();
  podman.podman('import', '--quiet', buildArchive(), image);
  const installation = await install(checkout, { env: { PATH: podman.path } });
  const { call, folder } = installation;
  const files = { 'time.sh': 'date +%s%N\n', 'play.yml': playbook };
  const project = await addProject(installation, files);
  await chooseImage(installation, project.path);
  const ends = await followEnds(installation, project.id);
  const inventory = join(folder, 'hosts');
  await writeFile(inventory, 'localhost ansible_connection=local\n');
  const run = async (file: string): Promise<number> => {
    const { id } = await launch(call, project, file);
    await ends.of(id);
    return id;
  };
  const place = [`--volume=${folder}:${folder}`, `--workdir=${project.code}`];
  const byHand = (...command: string[]): string =>
    podman.podman('run', '--rm', ...place, image, ...command);
  /** Removing the container of a run takes processor time from what is measured next. */
  const untilGone = (): Promise<unknown> =>
    until(() => podman.podman('ps', '--all', '--quiet') === '');
  const printed = async (id: number): Promise<string[]> =>
    (await call<{ output: string }[]>('GET', `${project.path}/tasks/${id}/output`)).map(
      ({ output }) => output,
    );
  // The first ones make the mirror of the repository, and ask programs for their versions.
  for (const file of Object.keys(files)) await run(file);
  await untilGone();
  const runs = { run, untilGone, byHand };
  return {
    measures: [firstCommand({ ...runs, printed }), wholePlaybook({ ...runs, inventory })],
    async end() {
      ends.close();
      await installation.end();
      podman.close();
    },
  };
}

interface Runs {
  /** Launches the template of a file, and resolves with the id of its task when that has ended. */
  run: (file: string) => Promise<number>;
  untilGone: () => Promise<unknown>;
  byHand: (...command: string[]) => string;
}

const firstCommand = ({
  run,
  untilGone,
  byHand,
  printed,
}: Runs & { printed: (id: number) => Promise<string[]> }): Measure => ({
  what: 'Launch to the first command of a script in a container',
  unit: 'ms',
  rounds: 20,
  async take() {
    const started = now();
    const id = await run('time.sh');
    await untilGone();
    return timeIn(await printed(id)) - started;
  },
  beside: {
    name: 'podman run',
    take() {
      const started = now();
      return Promise.resolve(timeIn(byHand('bash', 'time.sh').split('\n')) - started);
    },
  },
});

const wholePlaybook = ({
  run,
  untilGone,
  byHand,
  inventory,
}: Runs & { inventory: string }): Measure => ({
  what: 'A playbook in a container, launch to end',
  unit: 'ms',
  rounds: 10,
  async take() {
    const ms = await timed(() => run('play.yml'));
    await untilGone();
    return ms;
  },
  beside: {
    name: 'podman run ansible-playbook',
    take: () => timed(() => byHand('ansible-playbook', '-i', inventory, 'play.yml')),
  },
});

/** Makes the image the execution environment of all templates of the project. */
async function chooseImage({ call }: Installation, project: string): Promise<void> {
  const body = { name: 'Debian', kind: 'container', image, pull: 'never' };
  const { id } = await call<{ id: number }>('POST', `${project}/execution_environments`, body);
  const known = await call<object>('GET', project);
  await call('PUT', project, { ...known, execution_environment_id: id });
}

/** The time that `date +%s%N` has printed, in milliseconds. */
function timeIn(lines: string[]): number {
  const line = lines.find((one) => /^\d{19}$/.test(one)) ?? '';
  return Number(BigInt(line) / 1000n) / 1000;
}
