// `npm run test:machine`: installs the Debian package on a machine that qemu emulates, where systemd
// and control groups of version 2 are as on a server, and checks that tasks keep their limits.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiCall } from '../test/helpers/api-client.ts';
import { freePort } from '../test/helpers/free-port.ts';
import { makeDisk } from './machine/disk.ts';
import { type Machine, startMachine } from './machine/machine.ts';
import { readCheckout } from './release/checkout.ts';
import { makeRelease } from './release/make-release.ts';
import { createDemo, ended, launch, signIn, untilLogged, untilReady } from './trial/tasks.ts';
import { trial } from './trial/trial.ts';

const password = 'a long enough password';
const address = (port: number): string => `http://127.0.0.1:${port}`;
const groups = '/sys/fs/cgroup/system.slice/signalbox.service';

const packageOf = {
  'qemu-system-x86_64': 'qemu-system-x86',
  debootstrap: 'debootstrap',
  mke2fs: 'e2fsprogs',
  'ssh-keygen': 'openssh-client',
  'dpkg-deb': 'dpkg',
};

// The service has its own /tmp, so tasks cannot see a file that root leaves in /tmp.
const code = {
  'memory.sh': `python3 -c 'print(len(bytearray(300 << 20)))'\necho enough memory\n`,
  'processes.sh': 'for number in $(seq 40); do sleep 2 & done\nwait\necho enough processes\n',
  // The seconds of the processor that a loop gets in ten seconds.
  'processor.sh': `python3 -c '
import time
end, before = time.monotonic() + 10, time.process_time()
while time.monotonic() < end: pass
print("processor", time.process_time() - before)'
`,
  'wait.sh': 'echo waiting\nuntil test -e /srv/go-on; do sleep 1; done\necho went on\n',
};

const limits = { memory_limit_mib: 100, process_limit: 20, cpu_limit_percent: 25 };
const templates = [
  ...Object.keys(code).map((playbook) => ({ name: playbook, playbook })),
  { name: 'little memory', playbook: 'memory.sh', memory_limit_mib: limits.memory_limit_mib },
  { name: 'few processes', playbook: 'processes.sh', process_limit: limits.process_limit },
  { name: 'slow', playbook: 'processor.sh', cpu_limit_percent: limits.cpu_limit_percent },
  { name: 'wait with limits', playbook: 'wait.sh', ...limits },
];

const say = (text: string): void => console.log(`machine: ${text}`);

async function makePackage(place: string): Promise<string> {
  const checkout = readCheckout(join(import.meta.dirname, '..'));
  const { artefacts } = await makeRelease({ checkout, to: join(place, 'release') }, ['x64']);
  const made = artefacts.find(({ file }) => file.endsWith('.deb'));
  if (!made) throw new Error('The Debian package was not made.');
  return made.file;
}

/** Launches the templates of a project by name, to their end. */
function launcherOf(call: ApiCall, project: number, byName: (name: string) => number) {
  return async (name: string) => ended(call, project, await launch(call, project, byName(name)));
}

type Run = ReturnType<typeof launcherOf>;

async function checkMemory(run: Run): Promise<void> {
  assert.match((await run('memory.sh')).log, /enough memory/);
  const { status, log } = await run('little memory');
  assert.equal(status, 'error', log);
  assert.match(log, /Limits of this task: memory 100 MiB/);
  assert.match(log, /used more than the 100 MiB of memory/);
  assert.doesNotMatch(log, /enough memory/);
  say(`memory: ${lastLine(log)}`);
}

async function checkProcesses(run: Run): Promise<void> {
  assert.match((await run('processes.sh')).log, /enough processes/);
  const { status, log } = await run('few processes');
  assert.equal(status, 'error', log);
  assert.match(log, /could not start another process/);
  assert.doesNotMatch(log, /enough processes/);
  say(`processes: ${lastLine(log)}`);
}

async function checkProcessor(run: Run): Promise<void> {
  const seconds = async (name: string): Promise<number> =>
    Number(/^processor ([\d.]+)$/m.exec((await run(name)).log)?.[1]);
  const [all, some] = [await seconds('processor.sh'), await seconds('slow')];
  say(`processor: ${all.toFixed(1)} of 10 s without a limit, ${some.toFixed(1)} s with 25 %`);
  // The clock of an emulated machine is not exact.
  assert(some < 3.5 && all > 2 * some);
}

/** A task with limits continues while the server restarts, which then enforces limits again. */
async function checkRestart(machine: Machine, port: number, project: number, waiting: number) {
  await machine.run('systemctl restart signalbox');
  await untilReady(address(port), machine.printed);
  const call = await signIn(address(port), password);
  await machine.run('touch /srv/go-on');
  const { status, log } = await ended(call, project, waiting);
  assert.equal(status, 'success', log);
  assert.match(log, /went on/);
  say('a task with limits went on while the server restarted');
  return call;
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

async function checkTasks(machine: Machine, port: number): Promise<void> {
  const started = performance.now();
  await untilReady(address(port), machine.printed);
  say(`ready after ${((performance.now() - started) / 1000).toFixed(0)} s`);
  say(lastLine(await machine.run('systemctl --version | head -1')));
  const call = await signIn(address(port), password);
  const { project, byName } = await createDemo(call, '/srv/code', templates);
  const run = launcherOf(call, project, byName);
  await checkMemory(run);
  await checkProcesses(run);
  await checkProcessor(run);

  const waiting = await launch(call, project, byName('wait with limits'));
  await untilLogged(call, project, waiting, 'waiting');
  const again = await checkRestart(machine, port, project, waiting);
  await checkMemory(launcherOf(again, project, byName));
  const demo = await launcherOf(again, project, byName)('2. Look at the server');
  assert.equal(demo.status, 'success', demo.log);

  assert.equal((await machine.run(`ls -d ${groups}/*/`)).trim(), `${groups}/signalbox-server/`);
  say('no control group of a task is left');
}

async function checkMachine(place: string): Promise<void> {
  const key = join(place, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const disk = makeDisk({
    place,
    debianPackage: await makePackage(place),
    settings: {
      SIGNALBOX_HOST: '0.0.0.0',
      SIGNALBOX_ADMIN_PASSWORD: password,
      SIGNALBOX_LOCAL_REPOSITORIES: '/srv',
    },
    code,
    publicKey: readFileSync(`${key}.pub`, 'utf8'),
  });
  const ports = { server: await freePort(), ssh: await freePort() };
  const machine = startMachine(disk, ports, key);
  try {
    await checkTasks(machine, ports.server);
  } finally {
    await machine.stop();
  }
}

await trial({ what: 'machine', packageOf, check: checkMachine });
