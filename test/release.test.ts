// Before a release: builds all artefacts of a release, and runs each.
// Each artefact of a release is installed as install.md of the guide says, as far as that needs no
// network and changes no machine: it starts, people sign in, and a task succeeds.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { packArchive } from '../scripts/release/pack.ts';
import { version } from '../src/node/process/version.ts';
import { connectApi } from './helpers/api-client.ts';
import { expectDemoTask } from './helpers/demo-task.ts';
import { until } from './helpers/until.ts';

const checkout = join(import.meta.dirname, '..');
const architecture = process.arch;
const debianName = architecture === 'x64' ? 'amd64' : architecture;
let place: string;
let printedByRelease: string;
const artefact = (name: string): string => join(place, 'release', name);
const archive = `signalbox-${version}-linux-${architecture}.tar.gz`;
const debian = `signalbox_${version}_${debianName}.deb`;

const output = (program: string, args: string[], cwd = place): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

beforeAll(async () => {
  // The users of tasks have to enter it.
  place = await mkdtemp(join(tmpdir(), 'signalbox-release-'));
  await chmod(place, 0o755);
  const options = ['--allow-dirty', '--to', join(place, 'release'), '--architecture', architecture];
  // A build for tests is another one.
  const { NODE_ENV: _, ...env } = process.env;
  const args = [join(checkout, 'scripts/release.ts'), ...options];
  printedByRelease = execFileSync(process.execPath, args, { env, encoding: 'utf8' });
}, 1_800_000);
afterAll(() => rm(place, { recursive: true, force: true }));

async function newFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(place, `${name}-`));
  await chmod(folder, 0o755);
  return folder;
}

/** A PATH with all programs of the machine but Node. */
async function pathWithoutNode(): Promise<string> {
  const bin = await newFolder('bin');
  for (const folder of ['/bin', '/usr/bin', '/usr/local/bin']) {
    for (const name of await readdir(folder).catch(() => [])) {
      if (!/^(?:node|nodejs|npm|npx)$/.test(name)) {
        await symlink(join(folder, name), join(bin, name)).catch(() => undefined);
      }
    }
  }
  return bin;
}

function start(command: string, env: Record<string, string>, cwd: string) {
  const child: ChildProcess = spawn(command, [], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  }
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { child, printed: () => text, ended };
}

/** Starts a server with the installed command in an empty folder, signs in, and runs a task. */
async function runDemo(command: string, settings: Record<string, string> = {}): Promise<string> {
  const cwd = await newFolder('home');
  const env = { PATH: await pathWithoutNode(), HOME: cwd, SIGNALBOX_PORT: '0', ...settings };
  expect(execFileSync(command, ['version'], { env, encoding: 'utf8' })).toBe(`${version}\n`);
  const { child, printed, ended } = start(command, env, cwd);
  const [, address = ''] = await until(() => /is ready: (http:\S+)/.exec(printed()));
  const { SIGNALBOX_FIRST_PASSWORD_FILE: file } = settings;
  const [, shown = ''] = /shown only this once\): (\S+)/.exec(printed()) ?? [];
  const password = file === undefined ? shown : (await readFile(file, 'utf8')).trim();
  const call = await connectApi({ address, password });
  expect(await (await fetch(address)).text()).toContain('<div id="root">');
  const help = await fetch(`${address}/help/install`);
  expect(help.status).toBe(200);
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Demo', demo: true });
  await expectDemoTask(call, id);
  child.kill('SIGTERM');
  expect([await ended, printed()]).toEqual([0, expect.not.stringContaining('"error"')]);
  return cwd;
}

test('the release says what it has made, and its checksums are right', async () => {
  const names = [
    'SHA256SUMS',
    archive,
    `signalbox-${version}.cdx.json`,
    `signalbox-${version}.tgz`,
    debian,
  ];
  for (const name of names)
    expect(printedByRelease).toMatch(new RegExp(`MB +[\\d.]+ s .*/${name}\n`));
  expect(await readdir(join(place, 'release'))).toEqual(expect.arrayContaining(names));
  expect(output('sha256sum', ['--check', 'SHA256SUMS'], join(place, 'release'))).not.toContain(
    'FAILED',
  );
  const sbom = JSON.parse(readFileSync(artefact(`signalbox-${version}.cdx.json`), 'utf8')) as {
    components: { name: string }[];
  };
  const parts = sbom.components.map(({ name }) => name);
  expect(parts).toEqual(expect.arrayContaining(['better-sqlite3', 'react', 'fastify']));
});

async function unpackNpm(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const from = artefact(`signalbox-${version}.tgz`);
  output('tar', ['-xzf', from, '-C', folder, '--strip-components=1']);
  return folder;
}

const packages = ['better-sqlite3', `node-linux-${architecture}`];

/** Puts the packages that npm would fetch into a folder. */
async function linkPackages(modules: string): Promise<void> {
  await mkdir(modules, { recursive: true });
  for (const name of packages) {
    await symlink(join(checkout, 'node_modules', name), join(modules, name));
  }
}

test('the npm package is small and names only what it does not contain', async () => {
  const folder = await unpackNpm(await newFolder('npm'));
  const sizes = globSync('**', { cwd: folder }).map((name) => statSync(join(folder, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(25e6);
  const content = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as object;
  expect(content).toMatchObject({
    name: 'signalbox',
    version,
    license: 'MIT',
    dependencies: { 'better-sqlite3': expect.stringMatching(/^\d+\.\d+\.\d+$/) },
  });
  // Nothing has to run when it is installed.
  expect(Object.keys(content)).not.toContain('scripts');
  const licences = await readFile(join(folder, 'LICENCES.md'), 'utf8');
  for (const name of ['fastify', 'react', 'zod']) expect(licences).toContain(`## ${name} `);
});

test('the npm package runs where npm installs it for all, without Node on the PATH', async () => {
  const prefix = await newFolder('global');
  const folder = await unpackNpm(join(prefix, 'lib/node_modules/signalbox'));
  await linkPackages(join(folder, 'node_modules'));
  await mkdir(join(prefix, 'bin'));
  await symlink('../lib/node_modules/signalbox/bin/signalbox', join(prefix, 'bin/signalbox'));
  const cwd = await runDemo(join(prefix, 'bin/signalbox'));
  // Without settings, everything is in a folder where it was started.
  expect(await readdir(join(cwd, 'data'))).toContain('master.key');
});

test('the npm package runs where npx puts it, and says what it needs', async () => {
  const modules = join(await newFolder('npx'), 'node_modules');
  await unpackNpm(join(modules, 'signalbox'));
  await mkdir(join(modules, '.bin'));
  await symlink('../signalbox/bin/signalbox', join(modules, '.bin/signalbox'));
  const command = join(modules, '.bin/signalbox');
  const refusal = (PATH: string): string => {
    try {
      return execFileSync(command, ['version'], { env: { PATH }, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      return (error as { stderr: string }).stderr;
    }
  };
  const bare = await pathWithoutNode();
  expect(refusal(bare)).toContain('Node 24.12 or newer is needed, and this machine has none.');
  await linkPackages(modules);
  expect(refusal(bare)).toBe(`${version}\n`);
  await runDemo(command);
});

/** The oldest Node that package.json allows, from the registry of npm. */
async function oldestNode(): Promise<string> {
  const folder = await newFolder('oldest-node');
  const name = `node-linux-${architecture}@24.12.0`;
  output('npm', ['install', '--prefix', folder, '--ignore-scripts', '--silent', name]);
  return join(folder, `node_modules/node-linux-${architecture}/bin/node`);
}

test('the npm package runs on the oldest Node that it allows', async () => {
  const modules = join(await newFolder('oldest'), 'node_modules');
  const folder = await unpackNpm(join(modules, 'signalbox'));
  await symlink(join(checkout, 'node_modules/better-sqlite3'), join(modules, 'better-sqlite3'));
  const PATH = await pathWithoutNode();
  await symlink(await oldestNode(), join(PATH, 'node'));
  const asked = execFileSync(join(PATH, 'node'), ['--version'], { encoding: 'utf8' });
  expect(asked).toBe('v24.12.0\n');
  await runDemo(join(folder, 'bin/signalbox'), { PATH });
});

test('a machine without the library of the packaged Node is told its name', async () => {
  const folder = await unpackNpm(await newFolder('bare'));
  await linkPackages(join(folder, 'node_modules'));
  const libraries = `/usr/lib/${process.arch === 'x64' ? 'x86_64' : 'aarch64'}-linux-gnu`;
  // The machine's own folder of libraries without this one, for one program.
  const hide = `mount -t tmpfs none /mnt && mkdir /mnt/changes /mnt/work &&
    mount -t overlay none -o lowerdir=${libraries},upperdir=/mnt/changes,workdir=/mnt/work ${libraries} &&
    rm -f ${libraries}/libatomic.so* && exec "$0" version`;
  const args = ['-rm', 'sh', '-c', hide, join(folder, 'bin/signalbox')];
  const env = { PATH: await pathWithoutNode() };
  const told = spawnSync('unshare', args, { env, encoding: 'utf8' });
  expect(told.status).toBe(1);
  expect(told.stderr).toContain('needs the library libatomic.so.1');
});

test('the archive runs as it is unpacked, and is packed in the same way each time', async () => {
  const folder = await newFolder('archive');
  output('tar', ['-xzf', artefact(archive), '-C', folder]);
  const listed = output('tar', ['--numeric-owner', '-tvzf', artefact(archive)])
    .trim()
    .split('\n');
  expect(listed.filter((line) => !/^[d-](?:rwxr-xr-x|rw-r--r--) 0\/0 /.test(line))).toEqual([]);
  const [name = ''] = await readdir(folder);
  expect(name).toBe(`signalbox-${version}`);
  const time = Math.round(statSync(join(folder, name)).mtimeMs / 1000);
  const again = packArchive(join(folder, name), join(place, 'again.tar.gz'), time);
  const sum = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
  expect(sum(again)).toBe(sum(artefact(archive)));
  await runDemo(join(folder, name, 'bin/signalbox'));
});

test('the Debian package has all of its parts, and what it installs runs', async () => {
  const field = (name: string) => output('dpkg-deb', ['--field', artefact(debian), name]).trim();
  expect([field('Package'), field('Version'), field('Architecture')]).toEqual([
    'signalbox',
    version,
    debianName,
  ]);
  expect(field('Depends')).toMatch(/\bgit, .*libatomic1, .*openssh-client, procps, systemd/);
  expect(Number(field('Installed-Size'))).toBeGreaterThan(100_000);
  const listed = output('dpkg-deb', ['--contents', artefact(debian)]);
  expect(listed).toMatch(/^-rw------- root\/root .* \.\/etc\/signalbox\/environment$/m);
  expect(listed).toMatch(/^-rwxr-xr-x root\/root .* \.\/usr\/bin\/signalbox$/m);
  expect(listed).not.toContain('./opt/');
  const root = await newFolder('debian');
  output('dpkg-deb', ['--raw-extract', artefact(debian), root]);
  for (const name of ['postinst', 'prerm', 'postrm']) output('sh', ['-n', `DEBIAN/${name}`], root);
  expect(await readFile(join(root, 'DEBIAN/conffiles'), 'utf8')).toBe(
    '/etc/signalbox/environment\n',
  );
  output('md5sum', ['--quiet', '--check', 'DEBIAN/md5sums'], root);
  const unit = await readFile(join(root, 'usr/lib/systemd/system/signalbox.service'), 'utf8');
  const named = [...unit.matchAll(/\/(?:opt|usr\/lib)\/signalbox[\w./]*/g)].map(([path]) => path);
  expect(named.filter((path) => !globSync(`.${path}`, { cwd: root }).length)).toEqual([]);
  const first = join(root, 'first-password');
  await runDemo(join(root, 'usr/lib/signalbox/bin/signalbox'), {
    SIGNALBOX_FIRST_PASSWORD_FILE: first,
  });
  // The first sign-in has removed the password.
  expect(() => statSync(first)).toThrow('ENOENT');
});
