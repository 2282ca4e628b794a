// `npm run dev`: runs the server, restarts it when a source changes, and runs Vite's server for the
// console. Each has a process group of its own, so that Ctrl-C reaches them once, through this
// process.

import { spawn } from 'node:child_process';
import { endProcess } from './processes.ts';

const commands: [command: string, args: string[]][] = [
  [
    process.execPath,
    ['--watch', '--watch-path=src/server', '--watch-path=src/shared', 'src/server/main.ts'],
  ],
  [process.execPath, ['node_modules/vite/bin/vite.js']],
];

const children = commands.map(([command, args]) =>
  spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true }),
);

let isEnding = false;
async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await Promise.all(children.map(endProcess));
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void end(0));
}
for (const child of children) {
  child.once('error', () => void end(1));
  child.once('exit', (code) => void end(code ?? 1));
}
