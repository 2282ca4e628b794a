// The program as all artefacts contain it: the built server and console, the command, the guide.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { buildServer } from '../build-server.ts';
import type { Checkout } from './checkout.ts';
import { copyInto, settle } from './folders.ts';
import { licencesOf } from './licences.ts';

interface PackageJson {
  name: string;
  description: string;
  license: string;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

/** The package with machine code, which is not a part of the built server. */
const nativePackage = 'better-sqlite3';

const copied = [
  'bin',
  'deploy/service.env',
  'deploy/signalbox.service',
  'deploy/signalbox.sysusers',
  'docs/guide',
  'docs/images',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
];

/** Builds the program into an empty folder, which is also that of the npm package. */
export async function makeProgram(checkout: Checkout, folder: string): Promise<void> {
  const { root, time } = checkout;
  copyInto(root, folder, copied);
  const server = join(folder, 'dist/server/release');
  const web = join(folder, 'dist/web');
  const list = 'licences.json';
  await buildServer(server, list);
  await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: web, license: { fileName: list } },
  });
  rmSync(`${web}.manifest.json`);
  const licences = licencesOf([join(server, list), join(web, list)]);
  writeFileSync(join(folder, 'LICENCES.md'), licences);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageOf(checkout), null, 2)}\n`);
  settle(folder, time, ['bin/signalbox']);
}

/** The package.json of the npm package: only what the build does not contain is a dependency. */
function packageOf({ root, version }: Checkout): object {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageJson;
  const pinned = own.dependencies[nativePackage];
  if (pinned === undefined) throw new Error(`package.json does not name ${nativePackage}`);
  return {
    name: own.name,
    version,
    description: own.description,
    license: own.license,
    type: 'module',
    bin: { signalbox: 'bin/signalbox' },
    os: ['linux', 'darwin'],
    // On Linux the optional packages bring Node 24; the command says what to do elsewhere.
    engines: { node: '>=18' },
    dependencies: { [nativePackage]: pinned },
    optionalDependencies: own.optionalDependencies,
  };
}

/** Adds what the npm package has as dependencies: Node and the package with machine code. */
export function addPackages(root: string, folder: string, node: NodePackage): void {
  const modules = join(root, 'node_modules');
  const binary = `${nativePackage}/prebuilds/linux-${node.architecture}.node`;
  const native = ['LICENSE', 'package.json', 'lib'].map((name) => `${nativePackage}/${name}`);
  if (!existsSync(join(modules, binary))) throw new Error(`${binary} is not in node_modules`);
  copyInto(modules, join(folder, 'node_modules'), [...native, binary]);
  copyInto(node.folder, join(folder, 'node_modules', node.name), [
    'LICENSE',
    'package.json',
    'bin/node',
  ]);
}

/** The package of npm with Node for one architecture. */
export interface NodePackage {
  architecture: Architecture;
  name: string;
  folder: string;
}

export const architectures = ['x64', 'arm64'] as const;
export type Architecture = (typeof architectures)[number];
