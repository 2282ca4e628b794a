// Ends servers and removes their data when the process that started them has ended without doing
// so, even by SIGKILL.

import { spawn } from 'node:child_process';

export interface Watchdog {
  /** The lines are short, so that each is written in one piece. */
  watch: (server: { pid: number; folder: string }) => void;
  /** Ends the watchdog, because nothing is left to be ended. */
  dismiss: () => Promise<void>;
}

// The script reads what to watch until its input closes. Processes that work inside such a folder
// are tasks, which outlive a server. A process with the reused number of a process that has ended
// is spared.
const script = `watched=
while read -r order; do
  [ "$order" = dismiss ] && exit
  watched="$watched $order"
done
for each in $watched; do
  pid=\${each%%:*}; folder=\${each#*:}
  case $(ps -o args= -p "$pid") in */server/*main.[jt]s*) kill -KILL "$pid" ;; esac
  for cwd in /proc/[0-9]*/cwd; do
    case $(readlink "$cwd") in "$folder"/*) one=\${cwd#/proc/}; kill -KILL "\${one%/cwd}" ;; esac
  done
  rm -rf "$folder"
done 2>/dev/null`;

export function startWatchdog(): Watchdog {
  const child = spawn('/bin/sh', ['-c', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C would otherwise end the watchdog, which is needed most after it.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    watch: ({ pid, folder }) => void child.stdin.write(`${pid}:${folder}\n`),
    async dismiss() {
      child.stdin.end('dismiss\n');
      await ended;
    },
  };
}
