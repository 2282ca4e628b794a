// Starts the server of git itself, which takes less time for a request than any test notices.

import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.end());
  });

/** Serves the repositories in a folder, without a login. */
export async function launchGitDaemon({
  root,
}: {
  root: string;
}): Promise<{ url: string; stop: () => void }> {
  const port = await freePort();
  const args = ['--export-all', `--base-path=${root}`, '--listen=127.0.0.1', `--port=${port}`];
  const daemon = spawn('git', ['-c', 'safe.directory=*', 'daemon', ...args, root], {
    stdio: 'ignore',
    detached: true,
  });
  await until(() => isListening(port));
  return {
    url: `git://127.0.0.1:${port}/`,
    // The command git starts the daemon as a program of its own.
    stop: () => void process.kill(-(daemon.pid ?? 0)),
  };
}
