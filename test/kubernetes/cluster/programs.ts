// Builds the programs of a cluster from their Go modules, which takes about ten minutes the first time and 3 GB of
// memory, and installs those that Debian has.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../../scripts/setup/run.js';
import { advice, installWhereAllowed } from '../../../scripts/setup/programs.js';
import { cached } from './cache.ts';

const kubernetesVersion = '1.37.2';
// The etcd of Debian 12 is 3.4: with it, all watches of this API server fail.
const etcdVersion = '3.7.3';
const kwokVersion = '0.8.0';

/** The paths of the programs. */
export interface ClusterPrograms {
  kubernetes: string;
  etcd: string;
  kwok: string;
  /** What kwok simulates: it does nothing without. */
  stages: string;
}

const mainFile = join(import.meta.dirname, 'program/main.go');

function go(cwd: string, ...args: string[]): string {
  return execFileSync('nice', ['-n', '5', 'go', ...args], {
    cwd,
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod -buildvcs=false' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 26,
  });
}

const build = (cwd: string, target: string, flags: string, program: string): void => {
  go(cwd, 'build', '-trimpath', '-p=2', '-ldflags', `-s -w ${flags}`, '-o', target, program);
};

/** The modules of Kubernetes name others in their own repository, which are replaced by their releases. */
function kubernetesModule(text: string): string {
  const minor = kubernetesVersion.replace(/^1/, '0');
  const language = text.match(/^(?:go|godebug) .*$/gm) ?? [];
  const staging = [...text.matchAll(/^\t(\S+) => \.\/staging\//gm)].map(([, name]) => name);
  return [
    'module signalbox.test/kubernetes',
    ...language,
    `require k8s.io/kubernetes v${kubernetesVersion}`,
    ...staging.map((name) => `replace ${name} => ${name} v${minor}`),
    '',
  ].join('\n');
}

function buildKubernetes(target: string, work: string): void {
  const address = `k8s.io/kubernetes@v${kubernetesVersion}`;
  const original = go(work, 'list', '-m', '-f', '{{.GoMod}}', address).trim();
  writeFileSync(join(work, 'go.mod'), kubernetesModule(readFileSync(original, 'utf8')));
  copyFileSync(mainFile, join(work, 'main.go'));
  go(work, 'mod', 'tidy', '-e');
  // Without these the API server says that it is v0.0.0.
  const [major, minor] = kubernetesVersion.split('.');
  const values = { gitVersion: `v${kubernetesVersion}`, gitMajor: major, gitMinor: minor };
  const flags = Object.entries({ ...values, gitTreeState: 'clean' })
    .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
    .join(' ');
  build(work, target, flags, '.');
}

/** A module in which the program of another one can be built with the replacements of that one ignored. */
function moduleFor(work: string, program: string, version: string): void {
  go(work, 'mod', 'init', 'signalbox.test/program');
  go(work, 'get', '-tool', `${program}@v${version}`);
}

function buildEtcd(target: string, work: string): void {
  const program = 'go.etcd.io/etcd/server/v3';
  moduleFor(work, program, etcdVersion);
  build(work, target, '', program);
}

function buildKwok(target: string, work: string): void {
  const program = 'sigs.k8s.io/kwok/cmd/kwok';
  moduleFor(work, program, kwokVersion);
  mkdirSync(target);
  build(work, join(target, 'kwok'), '', program);
  const module = go(work, 'list', '-m', '-f', '{{.Dir}}', 'sigs.k8s.io/kwok').trim();
  const stages = [
    'node/fast/node-initialize',
    'node/heartbeat-with-lease/node-heartbeat-with-lease',
    'pod/fast/pod-ready',
    'pod/fast/pod-complete',
    'pod/fast/pod-delete',
  ].map((stage) => readFileSync(join(module, 'kustomize/stage', `${stage}.yaml`), 'utf8'));
  writeFileSync(join(target, 'stages.yaml'), stages.join('\n---\n'));
}

const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8);

/** Where the plugins of the pods' network lie; other programs of an administrator are often not on the PATH. */
export const pluginFolder = '/usr/lib/cni';
const folders = `${process.env['PATH']}:/usr/sbin:/sbin:${pluginFolder}`;

const debianPrograms = Object.entries({
  containerd: 'containerd',
  runc: 'runc',
  ptp: 'containernetworking-plugins',
  ip: 'iproute2',
  nsenter: 'util-linux',
  openssl: 'openssl',
  podman: 'podman',
  buildah: 'buildah',
  debootstrap: 'debootstrap',
  npm: 'npm',
}).map(([name, debianPackage]) => ({
  name,
  debianPackage,
  isThere: () => findProgram(name, folders) !== null,
}));

async function installDebianPrograms(): Promise<void> {
  const missing = () => debianPrograms.filter(({ isThere }) => !isThere());
  if (missing().length === 0) return;
  const output = await installWhereAllowed(missing());
  if (missing().length > 0) throw new Error(advice(missing(), output));
}

/** Builds and installs what is missing. */
export async function makePrograms(): Promise<ClusterPrograms> {
  if (process.getuid?.() !== 0) throw new Error('Only root can start a kubelet and containerd.');
  if (findProgram('go') === null) throw new Error('The parts of Kubernetes are built with Go.');
  await installDebianPrograms();
  const main = hashOf(readFileSync(mainFile, 'utf8'));
  const kubernetes = cached(`kubernetes-${kubernetesVersion}-${main}`, buildKubernetes);
  const etcd = cached(`etcd-${etcdVersion}`, buildEtcd);
  const kwok = cached(`kwok-${kwokVersion}`, buildKwok);
  return {
    kubernetes,
    etcd,
    kwok: join(kwok, 'kwok'),
    stages: join(kwok, 'stages.yaml'),
  };
}
