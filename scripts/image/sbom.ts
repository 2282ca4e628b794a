// `node scripts/image/sbom.ts CHECKOUT FILE`: writes the bill of materials of an image in the form of
// CycloneDX: the packages that console and server are built from, Node, and the packages of Debian.
// It runs in the image itself. CHECKOUT has the list that `npm sbom` made of all packages.

import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Component {
  'bom-ref': string;
  type: string;
  name: string;
  version: string;
  purl: string;
}

export interface Bill {
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const imported = /(?:from|import) '((?:@[\w.-]+\/)?[a-z][\w.-]*)/g;

/** The packages whose parts the console contains: those that its sources import by name. */
export function importedByConsole(checkout: string): Set<string> {
  const paths = globSync('src/{web,shared}/**/*.{ts,tsx}', { cwd: checkout });
  const texts = paths
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .map((path) => readFileSync(join(checkout, path), 'utf8'));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(imported)].map(([, name = '']) => name)),
  );
}

/** Packages of types leave nothing behind in what is built with them. */
const typesOnly = /^(?:@types\/|@typescript\/|typescript@)/;

/** Those of all packages that the named ones need, themselves included. */
export function neededBy(all: Bill, names: Set<string>): Component[] {
  const dependsOn = new Map(all.dependencies.map((one) => [one.ref, one.dependsOn]));
  const [root] = all.dependencies;
  const nameOf = (ref: string): string => ref.slice(0, ref.lastIndexOf('@'));
  const found = new Set(root?.dependsOn.filter((ref) => names.has(nameOf(ref))));
  for (const ref of found) for (const next of dependsOn.get(ref) ?? []) found.add(next);
  return all.components.filter(({ 'bom-ref': ref }) => found.has(ref) && !typesOnly.test(ref));
}

/** The packages of Debian, from lines such as `git 1:2.39.5-0+deb12u2 amd64`. */
export function debianComponents(lines: string): Component[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', version = '', architecture = ''] = line.split(' ');
      const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
      return { 'bom-ref': purl, type: 'library', name, version, purl };
    });
}

function nodeComponent(version: string): Component {
  const purl = `pkg:generic/node@${version}`;
  return { 'bom-ref': purl, type: 'platform', name: 'node', version, purl };
}

function write(checkout: string, file: string): void {
  const all = JSON.parse(readFileSync(join(checkout, 'packages.cdx.json'), 'utf8')) as Bill;
  const { dependencies } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const names = new Set([...Object.keys(dependencies), ...importedByConsole(checkout)]);
  const debian = execFileSync(
    'dpkg-query',
    ['--show', '--showformat', '${Package} ${Version} ${Architecture}\\n'],
    { encoding: 'utf8' },
  );
  const components = [
    ...neededBy(all, names),
    nodeComponent(process.versions.node),
    ...debianComponents(debian),
  ];
  const refs = new Set(components.map((one) => one['bom-ref']));
  const kept = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  writeFileSync(file, `${JSON.stringify({ ...all, components, dependencies: kept }, null, 1)}\n`);
}

if (import.meta.main) {
  const [checkout, file] = process.argv.slice(2);
  if (checkout === undefined || file === undefined)
    throw new Error('A checkout and a file, please');
  write(checkout, file);
}
