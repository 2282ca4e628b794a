// The programs that Signalbox and its tests run. Apt installs them where the machine allows it.
// `start` continues without them: the server switches the app off and logs that.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall, rootPrefix } from './apt.js';
import { Stop, findProgram, say, succeeds } from './run.js';

/** @typedef {{ name: string, debianPackage: string, isThere: () => boolean }} Program */

/** @type {(name: string, debianPackage: string) => Program} */
const onPath = (name, debianPackage) => ({
  name,
  debianPackage,
  isThere: () => findProgram(name) !== null,
});

/** @type {Program[]} */
const forStart = [
  onPath('git', 'git'),
  onPath('ssh', 'openssh-client'),
  onPath('ansible-playbook', 'ansible-core'),
];

/** A program that is often not on the path of a user. @type {(name: string, debianPackage: string, program: string) => Program} */
const ofSystem = (name, debianPackage, program) => ({
  name,
  debianPackage,
  isThere: () => findProgram(program) !== null || existsSync(join('/usr/sbin', program)),
});

const debianLists = '/var/lib/dpkg/info';

/**
 * Whether dpkg has the files of a package. For one of several architectures their names have it:
 * `samba-libs:amd64.list`. @type {(debianPackage: string) => boolean}
 */
const hasDebianList = (debianPackage) =>
  readdirSync(debianLists).some(
    (file) => file === `${debianPackage}.list` || file.startsWith(`${debianPackage}:`),
  );

/** @type {(debianPackage: string) => Program} */
const debianPart = (debianPackage) => ({
  name: debianPackage,
  debianPackage,
  // On other systems than Debian, the fonts and the Python of the system have to suffice.
  isThere: () => !existsSync(debianLists) || hasDebianList(debianPackage),
});

/** @type {Program[]} */
const forTest = [
  ...forStart,
  { name: 'chromium', debianPackage: 'chromium', isThere: hasBrowser },
  debianPart('fonts-liberation'),
  debianPart('fonts-dejavu-core'),
  debianPart('python3-venv'),
  onPath('sshpass', 'sshpass'),
  onPath('git-lfs', 'git-lfs'),
  onPath('sudo', 'sudo'),
  { name: 'the PostgreSQL server', debianPackage: 'postgresql', isThere: hasPostgres },
  ofSystem('the OpenSSH server', 'openssh-server', 'sshd'),
  onPath('openssl', 'openssl'),
  // The guide calls these.
  onPath('curl', 'curl'),
  onPath('jq', 'jq'),
  ofSystem('the LDAP server', 'slapd', 'slapd'),
  ofSystem('the pooler PgBouncer', 'pgbouncer', 'pgbouncer'),
  ofSystem('Active Directory by Samba', 'samba', 'samba'),
  debianPart('samba-ad-provision'),
  debianPart('samba-dsdb-modules'),
  debianPart('samba-vfs-modules'),
  ofSystem('the proxy nginx', 'nginx-light', 'nginx'),
  // The guide has their configurations.
  ofSystem('the proxy HAProxy', 'haproxy', 'haproxy'),
  ofSystem('the proxy Apache', 'apache2-bin', 'apache2'),
  // For the alert rules and the filter of the guide.
  onPath('promtool', 'prometheus'),
  onPath('fail2ban-regex', 'fail2ban'),
  // Tasks in containers. The images have busybox alone, so it needs no library.
  onPath('podman', 'podman'),
  ofSystem('the container runtime runc', 'runc', 'runc'),
  debianPart('busybox-static'),
  ofSystem('the registry of images', 'docker-registry', 'docker-registry'),
];

/** With a font for Chinese characters. @type {Program[]} */
const forPictures = [...forTest, debianPart('fonts-wqy-microhei')];

/** @type {Record<'start' | 'test' | 'pictures', Program[]>} */
const programsOf = { start: forStart, test: forTest, pictures: forPictures };

// test/helpers/chromium.ts looks for the same names.
function hasBrowser() {
  const named = process.env['CHROMIUM'];
  if (named) return existsSync(named);
  return ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].some(
    (name) => findProgram(name) !== null,
  );
}

function hasPostgres() {
  if (findProgram('initdb') && findProgram('postgres')) return true;
  const folder = '/usr/lib/postgresql';
  return (
    existsSync(folder) &&
    readdirSync(folder).some((version) => existsSync(join(folder, version, 'bin', 'initdb')))
  );
}

/**
 * @param {'start' | 'test' | 'pictures'} plan
 * @returns {import('./set-up.js').Step}
 */
export function programsStep(plan) {
  const programs = programsOf[plan];
  const missing = () => programs.filter((program) => !program.isThere());
  return {
    hasWork: () => missing().length > 0,
    async work() {
      const output = await installWhereAllowed(missing());
      const left = missing();
      if (left.length === 0) return;
      const text = advice(left, output);
      if (plan !== 'start')
        throw new Stop(`The tests and pictures need more than this machine has. ${text}`);
      say(text);
      say('starting without; what needs these programs is switched off until they are there');
    },
  };
}

/**
 * Returns what apt printed if it failed.
 * @param {Pick<Program, 'name' | 'debianPackage'>[]} programs
 */
export async function installWhereAllowed(programs) {
  if (process.env['SIGNALBOX_INSTALL_PROGRAMS'] === 'off' || !findProgram('apt-get')) return '';
  if (process.getuid?.() !== 0 && !(findProgram('sudo') && succeeds('sudo', ['-n', 'true']))) {
    return '';
  }
  say(`not on this machine: ${programs.map((program) => program.name).join(', ')}`);
  return aptInstall(programs.map((program) => program.debianPackage));
}

/**
 * @param {Program[]} left
 * @param {string} output
 */
export function advice(left, output) {
  const names = left.map((program) => program.name).join(', ');
  const packages = left.map((program) => program.debianPackage).join(' ');
  const failed = output ? `apt-get printed:\n${output}\n` : '';
  const apt = [...rootPrefix(), 'apt-get'].join(' ');
  const command = findProgram('apt-get')
    ? `${apt} update && ${apt} install -y --no-install-recommends ${packages}`
    : `(with the package manager of this system; on Debian the packages are: ${packages})`;
  return `Missing: ${names}.\n${failed}Install what is missing and run the same command again:\n    ${command}`;
}
