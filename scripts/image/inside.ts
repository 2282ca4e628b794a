// What has to be in the image, and what must not be.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { output } from '../trial/programs.ts';

const checkout = join(import.meta.dirname, '../..');

const find = (root: string, ...tests: string[]): string[] =>
  output('find', [root, '-xdev', ...tests])
    .split('\n')
    .filter((line) => line !== '')
    .map((path) => path.slice(root.length));

/** Checks the files of an image whose root is mounted; throws an error that names the first that is wrong. */
export function checkFiles(root: string): void {
  const nodes = find(root, '-type', 'f', '-name', 'node', '-perm', '/111');
  assert.deepEqual(nodes, ['/usr/local/bin/node'], 'there is one Node');
  const headers = find(root, '-name', 'node.h', '-o', '-name', 'v8.h', '-o', '-name', 'node_api.h');
  assert.deepEqual(headers, [], 'no headers of Node');
  const npm = find(root, '-name', '_cacache', '-o', '-name', 'npm', '-o', '-name', 'npx');
  assert.deepEqual(npm, [], 'neither npm nor its cache');
  const place = '/opt/signalbox';
  const folders = find(join(root, place), '-mindepth', '1', '-maxdepth', '1');
  const expected = [
    '/LICENSE',
    '/bin',
    '/dist',
    '/node_modules',
    '/package.json',
    '/sbom.cdx.json',
  ];
  assert.deepEqual(folders.toSorted(), expected, 'neither sources nor tests');
  const named = ['-name', '*.ts', '-o', '-name', '*.tsx', '-o', '-name', '*.cpp'];
  const sources = find(join(root, place), ...named);
  assert.deepEqual(sources, [], 'no sources');
  const packages = find(join(root, place, 'node_modules'), '-mindepth', '1', '-maxdepth', '1');
  assert.deepEqual(packages, ['/better-sqlite3'], 'no package that only the build needs');
  const writable = find(root, '-perm', '/022', '-type', 'f', '!', '-path', `${root}/var/log/*`);
  assert.deepEqual(writable, [], 'no file that others may write');
  checkSecrets(root);
  checkBill(join(root, place));
  checkCertificates(root);
}

/** The image trusts the company's authorities of the build. */
function checkCertificates(root: string): void {
  const trusted = readFileSync(join(root, 'etc/ssl/certs/ca-certificates.crt'), 'utf8');
  for (const path of globSync(join(checkout, 'deploy/certificates/*.crt'))) {
    assert(trusted.includes(readFileSync(path, 'utf8').trim()), `${path} is trusted`);
  }
}

function checkSecrets(root: string): void {
  const names = ['master.key', 'id_*', '.npmrc', '.env', '.git', '*.db'];
  const either = names.flatMap((name) => ['-o', '-name', name]).slice(1);
  const others = ['share', 'lib'].flatMap((name) => ['!', '-path', `${root}/usr/${name}/*`]);
  const named = find(root, '(', ...either, ')', ...others);
  assert.deepEqual(named, [], 'no key, no database, no settings');
  const folders = ['etc', 'opt', 'root', 'home', 'usr/local/share', 'data'].map((one) =>
    join(root, one),
  );
  const args = ['-rlI', '--', '-----BEGIN [A-Z ]*PRIVATE KEY-----', ...folders.filter(existsSync)];
  const found = output('sh', ['-c', 'grep "$@" || test $? = 1', 'sh', ...args]).trim();
  // The bundle has the words in which a private key begins, with which it recognises one.
  const keys = found
    .split('\n')
    .filter((path) => path !== '' && !path.startsWith(join(root, 'opt')));
  assert.deepEqual(keys, [], 'no private key');
}

function checkBill(place: string): void {
  const text = readFileSync(join(place, 'sbom.cdx.json'), 'utf8');
  const { components } = JSON.parse(text) as { components: { name: string; purl: string }[] };
  const names = new Set(components.map(({ name }) => name));
  const inside = [
    'fastify',
    'better-sqlite3',
    'react',
    '@mantine/core',
    'node',
    'ansible-core',
    'git',
  ];
  assert.deepEqual(
    inside.filter((name) => !names.has(name)),
    [],
    'the bill of materials names it',
  );
  const outside = ['vitest', 'vite', 'typescript', 'oxlint', 'playwright-core'];
  assert.deepEqual(
    outside.filter((name) => names.has(name)),
    [],
    'the bill names no tools',
  );
}
