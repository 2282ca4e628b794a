// Installs Debian packages without asking, as root or through a sudo that needs no password.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run, succeeds } from './run.js';

const options = [
  '-q',
  // Another installation may be running: apt waits for it.
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

/**
 * The words before a command that needs root.
 * @param {...string} sudoOptions
 */
export function rootPrefix(...sudoOptions) {
  return process.getuid?.() === 0 ? [] : ['sudo', ...sudoOptions];
}

/**
 * Returns what apt printed if it failed, otherwise an empty text.
 * @param {string[]} packages
 */
export async function aptInstall(packages) {
  const ends = [
    ...(packages.includes('postgresql') ? [withoutSystemCluster()] : []),
    withoutServices(),
  ];
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
    for (const end of ends) end();
  }
}

/**
 * @param {string} title
 * @param {string[]} args
 */
function aptGet(title, args) {
  const command = [...rootPrefix('-n'), 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  return run(title, command[0] ?? '', [...command.slice(1), ...options, ...args], { timeLimitMs });
}

/**
 * Debian's postgresql creates and starts a cluster for the whole machine. The tests start their
 * own, so a setting prevents that during this installation.
 */
function withoutSystemCluster() {
  const note = '/etc/postgresql-common/createcluster.d/signalbox-setup.conf';
  // A PostgreSQL is installed already: its settings stay as they are.
  if (existsSync('/etc/postgresql')) return () => undefined;
  place(note, '644', 'create_main_cluster = false\n');
  return () => {
    asRoot(['rm', '-f', note]);
    // These folders are empty only if nothing was installed.
    asRoot(['rmdir', dirname(note), dirname(dirname(note))]);
  };
}

/**
 * Several packages start a service when they are installed. The tests start the programs themselves,
 * so a policy refuses all starts during this installation.
 */
function withoutServices() {
  const policy = '/usr/sbin/policy-rc.d';
  // The machine has a policy of its own, as containers do.
  if (existsSync(policy)) return () => undefined;
  place(policy, '755', '#!/bin/sh\nexit 101\n');
  return () => {
    asRoot(['rm', '-f', policy]);
  };
}

/**
 * @param {string} path
 * @param {string} mode
 * @param {string} text
 */
function place(path, mode, text) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-setup-'));
  const draft = join(folder, 'draft');
  writeFileSync(draft, text);
  asRoot(['install', '-D', '-m', mode, draft, path]);
  rmSync(folder, { recursive: true });
}

/** @param {string[]} command */
function asRoot(command) {
  const [program = '', ...args] = [...rootPrefix('-n'), ...command];
  return succeeds(program, args);
}
