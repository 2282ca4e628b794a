// Ends servers and removes their data when the process that has started them is gone without having
// done so, by SIGKILL too.

import { spawn } from 'node:child_process';

export interface Watchdog {
  /** Lines of its orders are short, so that none of them is torn. */
  watch: (server: { pid: number; folder: string }) => void;
  /** Nothing is left to be ended. */
  dismiss: () => Promise<void>;
}

// Reads what it watches, until its input closes. What works inside of such a folder are tasks,
// which outlive a server. A process that has got the number of one that has ended is spared.
const script = `watched=
while read -r order; do
  [ "$order" = dismiss ] && exit
  watched="$watched $order"
done
for each in $watched; do
  pid=\${each%%:*}; folder=\${each#*:}
  case $(ps -o args= -p "$pid") in *src/server/main.ts*) kill -KILL "$pid" ;; esac
  for cwd in /proc/[0-9]*/cwd; do
    case $(readlink "$cwd") in "$folder"/*) one=\${cwd#/proc/}; kill -KILL "\${one%/cwd}" ;; esac
  done
  rm -rf "$folder"
done 2>/dev/null`;

export function startWatchdog(): Watchdog {
  const child = spawn('/bin/sh', ['-c', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Out of the reach of Ctrl-C, after which it is needed most.
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
