// The package for Debian and Ubuntu, made from the same folder as the archive.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Checkout } from './checkout.ts';
import { bytesOf, settle } from './folders.ts';
import type { Architecture } from './program.ts';

const home = 'usr/lib/signalbox';
const docs = 'usr/share/doc/signalbox';
const nameOf: Record<Architecture, string> = { x64: 'amd64', arm64: 'arm64' };
const scripts = ['postinst', 'prerm', 'postrm'];
// Only root reads the settings, since some of them are secrets.
const settingsFile = 'etc/signalbox/environment';

export interface DebianParts {
  checkout: Checkout;
  architecture: Architecture;
  /** The folder of the program with its packages; it is copied. */
  program: string;
  /** An empty folder to build in. */
  root: string;
  to: string;
}

/** Returns the file of the package. */
export function makeDebianPackage({ checkout, architecture, program, root, to }: DebianParts) {
  const { version, time } = checkout;
  placeFiles(checkout.root, program, root);
  writeFileSync(join(root, docs, 'changelog.gz'), debianChangelog(checkout));
  writeControl(checkout, architecture, root);
  settle(root, time, [
    'usr/bin/*',
    `${home}/bin/signalbox`,
    `${home}/node_modules/node-linux-*/bin/node`,
    ...scripts.map((name) => `DEBIAN/${name}`),
  ]);
  chmodSync(join(root, settingsFile), 0o600);
  chmodSync(join(root, dirname(settingsFile)), 0o700);
  const file = join(to, `signalbox_${version}_${nameOf[architecture]}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', root, file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
  });
  return file;
}

function placeFiles(checkoutRoot: string, program: string, root: string): void {
  const at = (path: string): string => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    return join(root, path);
  };
  const own = (name: string): string => readFileSync(join(checkoutRoot, 'deploy', name), 'utf8');
  cpSync(program, at(home), { recursive: true });
  renameSync(join(root, home, 'docs'), at(docs));
  rmSync(join(root, home, 'deploy'), { recursive: true });
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE']) rmSync(join(root, home, name));
  writeFileSync(at(`${home}/deploy/service.env`), own('service.env'));
  const unit = own('signalbox.service').replaceAll('/opt/signalbox', `/${home}`);
  writeFileSync(at('usr/lib/systemd/system/signalbox.service'), unit);
  writeFileSync(at('usr/lib/sysusers.d/signalbox.conf'), own('signalbox.sysusers'));
  writeFileSync(at('usr/bin/signalbox'), own('debian/signalbox'));
  writeFileSync(at(settingsFile), own('debian/environment'));
  writeFileSync(at(`${docs}/copyright`), copyright(checkoutRoot));
  cpSync(join(checkoutRoot, 'CHANGELOG.md'), at(`${docs}/CHANGELOG.md`));
  writeFileSync(at('usr/share/lintian/overrides/signalbox'), own('debian/lintian-overrides'));
}

/** The changelog in Debian's form, which names the other one. */
function debianChangelog({ root, version, time }: Checkout): Buffer {
  const control = readFileSync(join(root, 'deploy/debian/control'), 'utf8');
  const maintainer = /^Maintainer: (.*)$/m.exec(control)?.[1] ?? '';
  const day = new Date(time * 1000).toUTCString().replace('GMT', '+0000');
  const text = `signalbox (${version}) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- ${maintainer}  ${day}\n`;
  return gzipSync(text, { level: 9 });
}

const copyright = (checkoutRoot: string): string =>
  `The licence of Signalbox:\n\n${readFileSync(join(checkoutRoot, 'LICENSE'), 'utf8')}\n` +
  `The licences of the other parts are in /${home}/LICENCES.md,\n` +
  `and beside each package in /${home}/node_modules.\n`;

function writeControl({ root: checkoutRoot, version }: Checkout, arch: Architecture, root: string) {
  const folder = join(root, 'DEBIAN');
  const source = join(checkoutRoot, 'deploy/debian');
  const kib = Math.ceil(bytesOf(root) / 1024);
  const files = globSync('**', { cwd: root }).filter((name) => statSync(join(root, name)).isFile());
  const sums = files
    .filter((name) => name !== settingsFile)
    .toSorted()
    .map((name) => `${md5(join(root, name))}  ${name}\n`);
  mkdirSync(folder);
  const control = readFileSync(join(source, 'control'), 'utf8')
    .replace('VERSION', version)
    .replace('ARCHITECTURE', nameOf[arch])
    .replace('KIBIBYTES', String(kib));
  writeFileSync(join(folder, 'control'), control);
  writeFileSync(join(folder, 'conffiles'), `/${settingsFile}\n`);
  writeFileSync(join(folder, 'md5sums'), sums.join(''));
  for (const name of scripts) cpSync(join(source, name), join(folder, name));
}

const md5 = (file: string): string => createHash('md5').update(readFileSync(file)).digest('hex');
