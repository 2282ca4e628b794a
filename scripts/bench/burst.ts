// Many launches at once, compared with a loop that starts the script as many times.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { addProject, install, launch, untilAllEnded } from './installation.ts';
import { type Opened, timed } from './measure.ts';

const tasks = 100;
const atOnce = 10;

export async function measureBurst(checkout: string): Promise<Opened> {
  const env = { SIGNALBOX_MAX_PARALLEL_TASKS: String(atOnce) };
  const installation = await install(checkout, { env });
  const { call } = installation;
  const project = await addProject(installation, { 'end.sh': ':\n' });
  const perMinute = async (work: () => Promise<unknown>): Promise<number> =>
    (tasks / (await timed(work))) * 60_000;
  const accept = async (): Promise<void> => {
    for (let count = 0; count < tasks; count += 1) await launch(call, project, 'end.sh');
  };
  const ended = (): Promise<unknown> => untilAllEnded(call, project, tasks);
  await launch(call, project, 'end.sh');
  await untilAllEnded(call, project, 1);
  return {
    measures: [
      {
        what: `${tasks} scripts that end at once, launched and ended, ${atOnce} at once`,
        unit: 'a minute',
        rounds: 5,
        take: () => perMinute(() => accept().then(ended)),
        beside: {
          name: 'a loop that starts them',
          take: () => perMinute(() => spawnMany(join(project.code, 'end.sh'))),
        },
      },
      {
        what: `${tasks} launches accepted one after the other, while they run`,
        unit: 'ms',
        rounds: 3,
        async take() {
          const ms = await timed(accept);
          await ended();
          return ms;
        },
      },
    ],
    end: installation.end,
  };
}

async function spawnMany(script: string): Promise<void> {
  let left = tasks;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const child = spawn('bash', [script], { stdio: 'ignore' });
      await new Promise((resolve) => child.once('exit', resolve));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
