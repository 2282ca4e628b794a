// A real Kubernetes of one node on this machine, for tests: the API server and what belongs to it, a kubelet and
// containerd, all on 127.0.0.1 and on free ports. Its pods have a network of their own without a way out.

import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CoreV1Api, KubeConfig, type V1PolicyRule } from '@kubernetes/client-node';
import { freePort } from '../../helpers/free-port.ts';
import { isRunning } from '../../helpers/processes.ts';
import { until } from '../../helpers/until.ts';
import { type Account, makeAccount, makeNamespace } from './accounts.ts';
import { makeCertificates } from './certificates.ts';
import { type ClusterState, partNames, type Part, writeConfiguration } from './configuration.ts';
import { makeGroups, removeGroups } from './control-groups.ts';
import {
  buildSignalboxImage,
  importImage,
  importImageWith,
  importSignalboxImage,
  importSmallImages,
} from './images.ts';
import { apiAddressOf, claimNetwork, openApi, reachable, releaseNetwork } from './pod-network.ts';
import { startPart, stopPart } from './parts.ts';
import { type ClusterPrograms, makePrograms } from './programs.ts';
import { addSimulatedNodes, isReady } from './simulated-nodes.ts';

export interface Cluster {
  /** Of the API server. */
  address: string;
  /** The path of a kubeconfig of an administrator, and the same for the client. */
  adminKubeconfig: string;
  admin: KubeConfig;
  /** Ends a part with SIGKILL. */
  kill: (part: Part) => Promise<void>;
  /** Starts a part that was killed, and returns when it is ready. */
  start: (part: Part) => Promise<void>;
  /** Imports the images of an archive that `podman save` or `buildah push` has made. */
  importImage: (archive: string) => void;
  /** Imports an image of this name: that of the product with a program of this machine. */
  importImageWith: (name: string, program: string) => void;
  /** Makes a namespace with Pod Security `restricted` enforced, and returns its name. */
  namespace: () => Promise<string>;
  /** Makes such a namespace with a service account that may do exactly this in it. */
  account: (rules: V1PolicyRule[]) => Promise<Account>;
  /** Returns the address by which pods reach a server that listens on a port of 127.0.0.1. */
  reachable: (port: number) => Promise<string>;
  /** Lets pods reach the API server. */
  openApi: () => Promise<void>;
  /** Adds nodes whose pods run without containers; `onSimulatedNode` places a pod on them. */
  simulatedNodes: (count: number) => Promise<void>;
}

/** The cluster whose files lie in a folder. */
export function openCluster(folder: string): Cluster {
  const state = readState(folder);
  const adminKubeconfig = join(folder, 'admin.kubeconfig');
  const admin = new KubeConfig();
  admin.loadFromFile(adminKubeconfig);
  return {
    address: addressOf(state),
    adminKubeconfig,
    admin,
    kill: (part) => stopPart(state, part),
    start: (part) => startPart(state, part),
    importImage: (archive) => importImage(folder, archive),
    importImageWith: (name, path) => importImageWith(folder, name, path),
    namespace: () => makeNamespace(admin),
    account: (rules) => makeAccount(admin, folder, rules),
    reachable: (port) => reachable(state.network, port),
    openApi: () => openApi(state.network, state.ports.api),
    simulatedNodes: (count) => addSimulatedNodes(admin, count),
  };
}

const addressOf = ({ ports }: ClusterState): string => `https://127.0.0.1:${ports.api}`;

const readState = (folder: string): ClusterState =>
  JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as ClusterState;

const folderPrefix = join(tmpdir(), 'signalbox-kubernetes-');
const namePrefix = 'test-kubernetes-';

/** Builds what is missing, starts a cluster and returns its folder. */
export async function startCluster(): Promise<string> {
  const programs = await makePrograms();
  buildSignalboxImage();
  await removeAbandoned();
  const folder = await makeFolder(programs);
  try {
    const state = readState(folder);
    makeCertificates(folder, addressOf(state), apiAddressOf(state.network));
    makeGroups(state.name);
    for (const part of partNames) {
      await startPart(state, part);
      if (part === 'containerd') importImages(folder);
    }
    await untilNodeReady(openCluster(folder));
  } catch (error) {
    await stopCluster(folder);
    throw error;
  }
  return folder;
}

function importImages(folder: string): void {
  importSmallImages(folder);
  importSignalboxImage(folder);
}

async function makeFolder(programs: ClusterPrograms): Promise<string> {
  const folder = mkdtempSync(folderPrefix);
  for (const part of ['log', 'network', 'settings']) mkdirSync(join(folder, part));
  const ports = {
    api: await freePort(),
    etcd: await freePort(),
    etcdPeer: await freePort(),
    kubelet: await freePort(),
    kubeletHealth: await freePort(),
    kwok: await freePort(),
  };
  const name = `${namePrefix}${process.pid}`;
  writeConfiguration({ name, folder, programs, ports, network: claimNetwork() });
  return folder;
}

async function untilNodeReady({ admin }: Cluster): Promise<void> {
  const core = admin.makeApiClient(CoreV1Api);
  await until(async () => {
    // The kubelet adds it a moment after it has started.
    const { items } = await core.listNode();
    return items.some(isReady);
  });
}

/** Kills a cluster, whatever state it is in: nothing of it is left. */
export async function stopCluster(folder: string): Promise<void> {
  const { name, network } = readState(folder);
  await removeGroups(name);
  releaseNetwork(network);
  rmSync(folder, { recursive: true });
}

/** Removes the clusters of test runs that were killed. */
async function removeAbandoned(): Promise<void> {
  for (const path of globSync(`${folderPrefix}*/state.json`)) {
    const folder = dirname(path);
    const owner = Number(readState(folder).name.slice(namePrefix.length));
    if (!isRunning(owner)) await stopCluster(folder);
  }
}
