// Installs the packages of the lock file into node_modules. On Linux a Node that can run TypeScript
// is one of them; elsewhere it has to be installed.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './lock.js';
import { installWhereAllowed } from './programs.js';
import { Stop, run, say } from './run.js';

const needed = { major: 24, minor: 12 };
const neededText = `${needed.major}.${needed.minor}`;
const earlierInstallMs = 60_000;
const platform = `${process.platform}-${process.arch}`;
const bringsNode = platform === 'linux-x64' || platform === 'linux-arm64';

/**
 * @param {string} root
 * @returns {import('./set-up.js').Step}
 */
export function packagesStep(root) {
  return {
    hasWork: () => !isLinkedFolder(root) && !isInstalled(root),
    async work() {
      if (!bringsNode && !isNewEnough(process.versions.node)) throw new Stop(ownNodeNeeded());
      if (!isSatisfied(root)) await install(root);
      await checkNode(root);
      linkCommand(root);
      const stamp = { lock: lockHash(root), platform };
      writeFileSync(stampFile(root), `${JSON.stringify(stamp)}\n`);
    },
  };
}

/**
 * A node_modules that is a link, for example in a second worktree, belongs to another checkout.
 * @param {string} root
 */
function isLinkedFolder(root) {
  return (
    lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  );
}

/** @param {string} root */
function isInstalled(root) {
  const stamp = readJson(stampFile(root));
  return (
    stamp?.lock === lockHash(root) &&
    stamp.platform === platform &&
    (existsSync(nodeLink(root)) || isNewEnough(process.versions.node)) &&
    (process.platform === 'win32' || isCommandLinked(root))
  );
}

/**
 * Whether another `npm ci` has done the work already. Npm writes its hidden lock file last, so the
 * file is missing after an interrupted install.
 * @param {string} root
 */
export function isSatisfied(root) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const found = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!wanted || !found) return false;
  const isSame = (/** @type {string} */ path) =>
    wanted[path]?.version === found[path]?.version &&
    wanted[path]?.integrity === found[path]?.integrity;
  const allWanted = Object.keys(wanted).every(
    (path) => path === '' || isSame(path) || (wanted[path].optional && !found[path]),
  );
  return (
    allWanted &&
    Object.keys(found).every(isSame) &&
    (existsSync(nodeLink(root)) || isNewEnough(process.versions.node))
  );
}

/** @param {string} root */
async function install(root) {
  // The stamp is removed first, so that an interrupted install is repeated.
  rmSync(stampFile(root), { force: true });
  await untilEarlierInstallEnds(root);
  const npm = npmCommand();
  const result = await run(
    'installing packages (about half a minute)',
    npm.command,
    [
      ...npm.args,
      'ci',
      '--ignore-scripts',
      // The console is built with development packages, whatever NODE_ENV says.
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    {
      cwd: root,
      // After a SIGTERM npm would go on writing for seconds while the next install begins.
      endSignal: 'SIGKILL',
      onStart: (pid) => writeFileSync(installFile(root), String(pid)),
    },
  );
  rmSync(installFile(root), { force: true });
  if (result.succeeded) return;
  throw new Stop(
    `The packages could not be installed. "npm ci" printed:\n${result.output}\n\n` +
      'What to do: see that this machine reaches the npm registry ("npm ping") and that the\n' +
      'disk is not full, then run the same command again. It starts over cleanly.',
  );
}

/**
 * An npm whose set-up was killed continues alone, and two of them would destroy each other's work.
 * @param {string} root
 */
async function untilEarlierInstallEnds(root) {
  const file = installFile(root);
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8'));
  const deadline = Date.now() + earlierInstallMs;
  if (isAlive(pid)) say('waiting for an earlier installation to end ...');
  while (isAlive(pid) && Date.now() < deadline) await sleep(200);
  rmSync(file, { force: true });
}

/** The npm that runs this script, with the Node that runs npm. */
function npmCommand() {
  const script = process.env['npm_execpath'] ?? '';
  if (!script.endsWith('npm-cli.js') || !existsSync(script)) return { command: 'npm', args: [] };
  const itsNode = process.env['npm_node_execpath'] ?? '';
  return { command: existsSync(itsNode) ? itsNode : process.execPath, args: [script] };
}

/**
 * The command `node` of an npm script is node_modules/.bin/node where that exists.
 * @param {string} root
 */
async function checkNode(root) {
  const link = nodeLink(root);
  let reason = '';
  if (existsSync(link)) {
    reason = whyNot(link);
    if (reason.includes('libatomic')) {
      await installWhereAllowed([{ name: 'libatomic', debianPackage: 'libatomic1' }]);
      reason = whyNot(link);
    }
    if (reason === '') return;
    // The machine may have a C library other than glibc. The packaged Node must not hide the
    // machine's own.
    if (isNewEnough(process.versions.node)) {
      say('the packaged Node does not run on this machine, so its own is used');
      unlinkSync(link);
    }
  }
  if (isNewEnough(process.versions.node)) return;
  // Otherwise the next command would end with the error of the loader instead of this one.
  rmSync(link, { force: true });
  throw new Stop(
    bringsNode
      ? `The package that brings Node (node-${platform}) is missing or does not run here. ${reason}\n` +
          'What to do: see that npm installs optional packages ("npm config get omit" prints nothing),\n' +
          'and that there is libatomic.so.1 (libatomic1 on Debian and Ubuntu, libatomic on Fedora and RHEL),\n' +
          `or install Node ${neededText} or newer yourself, then run the same command again.`
      : ownNodeNeeded(),
  );
}

/**
 * Why this Node does not run here: its error output; empty when it runs.
 * @param {string} node
 */
function whyNot(node) {
  const { status, stdout, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (status === 0 && isNewEnough(stdout.trim().slice(1))) return '';
  return `It says: ${(stderr ?? '').trim() || 'nothing'}`;
}

function ownNodeNeeded() {
  return (
    `Signalbox needs Node ${neededText} or newer on ${platform}; this is Node ${process.versions.node}.\n` +
    '(Only on Linux with x64 or arm64 does it bring its own.)\n' +
    'What to do: install it from https://nodejs.org and run the same command again.'
  );
}

const command = '../../bin/signalbox';

/**
 * Lets `npx signalbox` find the command of this checkout.
 * @param {string} root
 */
function linkCommand(root) {
  if (process.platform === 'win32') return;
  const link = commandLink(root);
  rmSync(link, { force: true });
  symlinkSync(command, link);
}

/** @param {string} root */
function isCommandLinked(root) {
  try {
    return readlinkSync(commandLink(root)) === command;
  } catch {
    return false;
  }
}

/** @param {string} version */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > needed.major || (major === needed.major && minor >= needed.minor);
}

/** @param {string} root */
function lockHash(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

/** @param {string} root */
const installFile = (root) => join(root, '.setup', 'npm.pid');
/** @param {string} root */
const stampFile = (root) => join(root, 'node_modules', '.signalbox-setup.json');
/** @param {string} root */
const nodeLink = (root) => join(root, 'node_modules', '.bin', 'node');
/** @param {string} root */
const commandLink = (root) => join(root, 'node_modules', '.bin', 'signalbox');

/** @param {string} file */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
