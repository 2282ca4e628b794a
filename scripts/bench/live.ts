// How soon a line that a script prints is on the websocket, compared with a program that reads it from a
// pipe; also with many connections that follow the same log.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { clock, delayOf, delaysIn, messageOf, openSocket, subscribe } from './follow.ts';
import {
  addProject,
  install,
  type Installation,
  launch,
  now,
  type Project,
} from './installation.ts';
import type { Measure, Opened } from './measure.ts';

const seconds = 5;
// A user may have twenty connections.
const followers = 15;

const scripts = { 'slow.sh': clock(1, seconds), 'fast.sh': clock(50, seconds) };

export async function measureLive(checkout: string): Promise<Opened> {
  const installation = await install(checkout);
  const project = await addProject(installation, scripts);
  const measure = (pace: string, file: keyof typeof scripts, sockets: number): Measure => ({
    what: `A line written to the line on the websocket, ${pace} lines a second, ${sockets} open`,
    unit: 'ms',
    rounds: 3,
    take: () => follow(installation, project, file, sockets),
    beside: { name: 'the line read from a pipe', take: () => readPipe(join(project.code, file)) },
  });
  return {
    measures: [
      measure('100', 'slow.sh', 1),
      measure('5,000', 'fast.sh', 1),
      measure('5,000', 'fast.sh', followers),
    ],
    end: installation.end,
  };
}

/** The milliseconds from each line's time to its arrival on each websocket. */
async function follow(
  { server, cookie, call }: Installation,
  project: Project,
  file: keyof typeof scripts,
  sockets: number,
): Promise<number[]> {
  const open = () => openSocket(server.address, cookie);
  const all = await Promise.all(Array.from({ length: sockets }, open));
  const { id } = await launch(call, project, file);
  const delays = await Promise.all(
    all.map(async (socket) => {
      const own: number[] = [];
      await new Promise<void>((resolve, reject) => {
        socket.on('close', () => reject(new Error('The log did not end.')));
        socket.on('message', (data) => {
          const arrived = now();
          const message = messageOf(data);
          if (message.type === 'log_end') resolve();
          own.push(...delaysIn(message, arrived));
        });
        subscribe(socket, project.id, id);
      });
      socket.close();
      return own;
    }),
  );
  if (delays.flat().length < seconds * 100 * sockets) throw new Error('Not all lines came.');
  return delays.flat();
}

async function readPipe(script: string): Promise<number[]> {
  const child = spawn('bash', [script], { stdio: ['ignore', 'pipe', 'ignore'] });
  const delays: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    delays.push(...delayOf(line, now()));
  }
  return delays;
}
