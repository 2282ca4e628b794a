// The attempts of a hostile task, each a line of bash that succeeds if it gets what it wants. The
// script knows more than a task could find out: where the data is, and what else runs.

import { ownEngine } from './engine.ts';

interface Victims {
  dataDir: string;
  serverPid: number;
  /** The folder of another run. */
  otherRun: string;
  otherSecrets: string;
  /** The program of the other run. */
  otherPid: number;
}

const ptrace = `python3 -c '
import ctypes, sys
import { ownEngine } from './engine.ts';
libc = ctypes.CDLL(None)
sys.exit(0 if libc.ptrace(16, int(sys.argv[1]), 0, 0) == 0 else 1)'`;

// PostgreSQL has no file that the server could reach.
const onFiles = {
  'read the database': 'cat "$DATA/signalbox.db"',
  'read what the database has not written yet': 'cat "$DATA/signalbox.db-wal"',
  'write to the database': ': >> "$DATA/signalbox.db"',
};

/** Each attempt by its name in the title of the test: "a task cannot …". */
const attempts: Record<string, string> = {
  'list the data folder': 'ls "$DATA"',
  ...(ownEngine === 'sqlite' && onFiles),
  'read the master key': 'cat "$DATA/master.key"',
  'put another master key there': 'mv -f "$0" "$DATA/master.key"',
  'list the folders of other runs': 'ls "$DATA/runs"',
  'look into the folder of another run': 'ls "$OTHER"',
  'read the files of another run': 'cat "$OTHER/checkout/play.sh"',
  'read what another run prints': 'cat "$OTHER"/step-*/spool',
  'read the secrets of another run': 'ls "$SECRETS" || cat "$SECRETS/variables.json"',
  'read the environment of another run': 'cat "/proc/$OTHER_PID/environ"',
  'signal the program of another run': 'kill -0 "$OTHER_PID"',
  'read the environment of the server': 'cat "/proc/$SERVER/environ"',
  'read the memory of the server':
    'dd if="/proc/$SERVER/mem" bs=1 count=1 || cat "/proc/$SERVER/maps" | grep .',
  'see the open files of the server': 'ls "/proc/$SERVER/fd"',
  'go through the root of the server': 'ls "/proc/$SERVER/root/" || ls "/proc/$SERVER/cwd/"',
  'find a secret in the arguments of a process':
    'cat /proc/[0-9]*/cmdline | grep -a "canary-[o]f-escape"',
  'signal the server': 'kill -0 "$SERVER"',
  'signal a supervisor':
    'for p in $(pgrep -f supervisor[.]sh); do kill -0 "$p" && exit 0; done; exit 1',
  'trace the server': `${ptrace} "$SERVER"`,
  'list the mirrors of repositories': 'ls "$DATA/mirrors"',
  'write into the mirror of its repository':
    'for m in "$DATA"/mirrors/1-*; do touch "$m/config" || exit 1; done',
  'change the objects that it borrows':
    'd=$(cat "$CHECKOUT/.git/objects/info/alternates") && f=$(find "$d" -type f | head -1) && test -n "$f" && { chmod u+w "$f" || echo x >> "$f" || touch "$d/x"; }',
  'write its own exit code':
    'for f in "$RUN"/step-*/; do echo 0 > "$f/exit" || ls "$f" || exit 1; done',
  'put a link in the place of its folders':
    'mv "$CHECKOUT" "$CHECKOUT.old" || mv "$RUN/home" "$RUN/x" || ln -s /etc "$RUN/x"',
  'put a link in the place of the file that the server reads': 'ln -sf /etc/shadow "$RUN/progress"',
  'list what else lies in its run': 'ls "$RUN"',
  'put a link in the place of its secrets': 'mv "$OWN" "$OWN.old" || ln -s /etc "$OWN/x"',
  'read the list of all that is hidden': 'cat "$OWN/known.json"',
  'plant packages for other projects':
    'mkdir -p "$DATA/venvs/planted" || mkdir -p "$DATA/galaxy/planted"',
  'reach the state of other templates': 'ls "$DATA/terraform" || mkdir -p "$DATA/terraform/1/1"',
  'read the pinned host keys of projects': 'ls "$DATA/known-hosts" || cat "$DATA/known-hosts/1"',
  'change the code of the server':
    'touch -c -r "$CODE/src/server/main.ts" "$CODE/src/server/main.ts"',
  'become root by sudo': 'sudo -n true',
  'become root by su': 'su -c true root </dev/null',
  'gain rights from a program that gives them':
    '! grep -q "^NoNewPrivs:[[:space:]]*1" /proc/self/status',
  'keep a capability':
    'grep -E "^Cap(Inh|Prm|Eff|Bnd|Amb):" /proc/self/status | grep -vq "0000000000000000$"',
  'keep a group of the server': 'test "$(id -G)" != "$(id -g)" || test "$(id -g)" = 0',
  'use a cron table': 'command -v crontab && echo "* * * * * true" | crontab -',
};

/** Attempts that would end the control itself or change this machine, or that nobody may make. */
const notForControl = [
  'find a secret in the arguments of a process',
  'write its own exit code',
  'put a link in the place of its folders',
  'put a link in the place of its secrets',
  'trace the server',
  'use a cron table',
];

/** The attempts of the control leave out those that the user of the server may not make either. */
export const tries = (isControl: boolean): string[] =>
  Object.keys(attempts).filter((name) => !(isControl && notForControl.includes(name)));

/** A script that reports of each attempt whether it failed, and then leaves a process behind. */
export function hostileScript(victims: Victims, isControl = false): string {
  const lines = tries(isControl).map(
    (name, index) => `
try_${index}() { ${attempts[name]}; }
if (try_${index}) >/dev/null 2>&1; then echo "ESCAPED: ${name}."; else echo "held: ${name}."; fi`,
  );
  return `#!/bin/bash
DATA='${victims.dataDir}' SERVER=${victims.serverPid} OTHER='${victims.otherRun}'
SECRETS='${victims.otherSecrets}' OTHER_PID=${victims.otherPid} CODE='${process.cwd()}'
CHECKOUT=$PWD RUN=$(dirname "$PWD")
OWN=/dev/shm/sbx-$(printf %s "$(basename "$RUN")" | sha256sum | cut -c1-16)
${lines.join('\n')}
${isControl ? '' : leftBehind}
echo "all is tried"
`;
}

// The process is left by a double fork, in a session of its own, without environment.
const leftBehind = `
echo left > /tmp/left-by-$(id -u)
(setsid env -i /bin/sh -c '(trap "" HUP TERM INT; exec sleep 3600) & exec sleep 3600' </dev/null >/dev/null 2>&1 &)
`;
