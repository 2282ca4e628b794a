// Installs Debian packages without a question, as root or through a sudo that asks none.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run, succeeds } from './run.js';

const options = [
  '-q',
  // Another installation may be running: wait for it.
  '-o',
  'DPkg::Lock::Timeout=120',
  '-o',
  'Acquire::Retries=1',
  '-o',
  'Acquire::http::Timeout=30',
  '-o',
  'Acquire::https::Timeout=30',
];
const timeLimitMs = 10 * 60_000;

/** What stands before a command that needs root. */
export function aptPrefix() {
  return process.getuid?.() === 0 ? [] : ['sudo'];
}

/**
 * Answers what apt printed where it failed, and an empty text where it did not.
 * @param {string[]} packages
 */
export async function aptInstall(packages) {
  const giveBack = packages.includes('postgresql') ? withoutSystemCluster() : () => undefined;
  try {
    const update = await aptGet('reading the package lists', ['update']);
    const install = await aptGet(`installing ${packages.join(', ')} (a minute or two)`, [
      'install',
      '-y',
      '--no-install-recommends',
      ...packages,
    ]);
    if (install.succeeded) return '';
    return update.succeeded ? install.output : `${update.output}\n${install.output}`;
  } finally {
    giveBack();
  }
}

/**
 * @param {string} title
 * @param {string[]} args
 */
function aptGet(title, args) {
  const command = [...rootCommand(), 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  return run(title, command[0] ?? '', [...command.slice(1), ...options, ...args], { timeLimitMs });
}

function rootCommand() {
  return process.getuid?.() === 0 ? [] : ['sudo', '-n'];
}

/**
 * Debian's postgresql creates and starts a cluster of the whole machine. The tests bring
 * their own, so it is told not to for the length of this installation.
 */
function withoutSystemCluster() {
  const note = '/etc/postgresql-common/createcluster.d/signalbox-setup.conf';
  // Somebody's PostgreSQL is here already: leave its settings alone.
  if (existsSync('/etc/postgresql')) return () => undefined;
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-setup-'));
  const draft = join(folder, 'draft.conf');
  writeFileSync(draft, 'create_main_cluster = false\n');
  asRoot(['install', '-D', '-m', '644', draft, note]);
  rmSync(folder, { recursive: true });
  return () => {
    asRoot(['rm', '-f', note]);
    // Only when the installation did not happen are these empty.
    asRoot(['rmdir', dirname(note), dirname(dirname(note))]);
  };
}

/** @param {string[]} command */
function asRoot(command) {
  const [program = '', ...args] = [...rootCommand(), ...command];
  return succeeds(program, args);
}
