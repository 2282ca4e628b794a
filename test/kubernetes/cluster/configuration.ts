// The files of configuration and the command lines of a cluster's parts.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { servicesOf } from './pod-network.ts';
import type { ClusterPrograms } from './programs.ts';
import { pluginFolder } from './programs.ts';

export const partNames = [
  'mounts',
  'etcd',
  'apiserver',
  'controller-manager',
  'scheduler',
  'containerd',
  'kubelet',
  'kwok',
] as const;
export type Part = (typeof partNames)[number];

/** What distinguishes a cluster from others on the same machine; other processes read it from its folder. */
export interface ClusterState {
  /** The name of its control groups. */
  name: string;
  folder: string;
  programs: ClusterPrograms;
  ports: Record<'api' | 'etcd' | 'etcdPeer' | 'kubelet' | 'kubeletHealth' | 'kwok', number>;
  /** The first three numbers of the addresses of its pods: "10.211.0". */
  network: string;
}

export const pauseImage = 'localhost/pause:1';

/** What the kubelet and the plugin of the network would change for the whole machine. */
const kernelSettings = [
  'vm/overcommit_memory',
  'vm/panic_on_oom',
  'kernel/panic',
  'kernel/panic_on_oops',
  'kernel/keys/root_maxkeys',
  'kernel/keys/root_maxbytes',
  'net/ipv4/ip_forward',
];

/**
 * The first process of the namespace of mounts in which containerd and the kubelet run: what they mount, what they
 * write to fixed folders, and the settings of the kernel that they change end with it.
 */
const mounts = `
for setting in ${kernelSettings.join(' ')}; do
  copy=$1/settings/$(echo $setting | tr / -)
  cat /proc/sys/$setting >$copy
  mount --bind $copy /proc/sys/$setting
done
for folder in /run /var/log /var/lib; do mount -t tmpfs tmpfs $folder; done
exec sleep infinity`;

const containerd = ({ folder }: ClusterState): string => `version = 2
root = "${folder}/containerd/root"
state = "${folder}/containerd/state"
[grpc]
  address = "${folder}/containerd.sock"
[plugins."io.containerd.internal.v1.opt"]
  path = "${folder}/containerd/opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  stream_server_address = "127.0.0.1"
  # Root may lack CAP_SYS_RESOURCE: without this, runc cannot start the first process of a pod.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${pluginFolder}"
    conf_dir = "${folder}/network"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
`;

/** Each pod has a pair of virtual network cards, whose other end has the first address of the network. */
const podNetwork = ({ folder, network }: ClusterState) => ({
  cniVersion: '1.0.0',
  name: 'pods',
  plugins: [
    {
      type: 'ptp',
      ipMasq: false,
      ipam: {
        type: 'host-local',
        subnet: `${network}.0/24`,
        routes: [{ dst: servicesOf(network) }],
        dataDir: join(folder, 'addresses'),
      },
    },
  ],
});

const kubelet = ({ folder, name, ports }: ClusterState) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  address: '127.0.0.1',
  port: ports.kubelet,
  healthzPort: ports.kubeletHealth,
  tlsCertFile: join(folder, 'server.crt'),
  tlsPrivateKeyFile: join(folder, 'server.key'),
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: join(folder, 'ca.crt') },
  },
  authorization: { mode: 'Webhook' },
  containerRuntimeEndpoint: `unix://${folder}/containerd.sock`,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/${name}`,
  failCgroupV1: false,
  failSwapOn: false,
  makeIPTablesUtilChains: false,
  resolvConf: '',
  podLogsDir: join(folder, 'pod-logs'),
  evictionHard: {
    'imagefs.available': '1%',
    'nodefs.available': '1%',
    'memory.available': '100Mi',
  },
  imageGCHighThresholdPercent: 100,
});

export function writeConfiguration(state: ClusterState): void {
  const write = (path: string, text: string) => writeFileSync(join(state.folder, path), text);
  write('state.json', JSON.stringify(state));
  write('containerd.toml', containerd(state));
  write('network/pods.conflist', JSON.stringify(podNetwork(state)));
  write('kubelet.yaml', JSON.stringify(kubelet(state)));
}

const local = (port: number): string => `http://127.0.0.1:${port}`;

const apiserver = ({ ports, network }: ClusterState): string[] => [
  '--bind-address=127.0.0.1',
  `--secure-port=${ports.api}`,
  '--endpoint-reconciler-type=none',
  `--etcd-servers=${local(ports.etcd)}`,
  '--tls-cert-file=server.crt',
  '--tls-private-key-file=server.key',
  '--client-ca-file=ca.crt',
  '--token-auth-file=tokens.csv',
  '--authorization-mode=Node,RBAC',
  '--enable-admission-plugins=NodeRestriction',
  '--service-account-key-file=accounts.key',
  '--service-account-signing-key-file=accounts.key',
  '--service-account-issuer=https://kubernetes.default.svc',
  `--service-cluster-ip-range=${servicesOf(network)}`,
  '--kubelet-client-certificate=server.crt',
  '--kubelet-client-key=server.key',
  '--kubelet-certificate-authority=ca.crt',
  '--kubelet-preferred-address-types=Hostname',
];

/** The command line of a part; its paths begin in the folder of the cluster. */
export function commandOf(state: ClusterState, part: Part): string[] {
  const { folder, programs, ports } = state;
  const kubernetes = [programs.kubernetes, part];
  const commands: Record<Part, () => string[]> = {
    mounts: () => ['unshare', '--mount', 'sh', '-ec', mounts, 'sh', folder],
    etcd: () => [
      programs.etcd,
      '--data-dir=etcd',
      // Only the power of the machine could fail between a write and its sync.
      '--unsafe-no-fsync',
      `--listen-client-urls=${local(ports.etcd)}`,
      `--advertise-client-urls=${local(ports.etcd)}`,
      `--listen-peer-urls=${local(ports.etcdPeer)}`,
      `--initial-advertise-peer-urls=${local(ports.etcdPeer)}`,
      `--initial-cluster=default=${local(ports.etcdPeer)}`,
    ],
    apiserver: () => [...kubernetes, ...apiserver(state)],
    'controller-manager': () => [
      ...kubernetes,
      '--kubeconfig=controller-manager.kubeconfig',
      '--secure-port=0',
      '--leader-elect=false',
      '--service-account-private-key-file=accounts.key',
      '--root-ca-file=ca.crt',
      '--use-service-account-credentials',
    ],
    scheduler: () => [
      ...kubernetes,
      '--kubeconfig=scheduler.kubeconfig',
      '--secure-port=0',
      '--leader-elect=false',
    ],
    containerd: () => ['containerd', '--config', 'containerd.toml'],
    kubelet: () => [
      ...kubernetes,
      '--config=kubelet.yaml',
      '--kubeconfig=kubelet.kubeconfig',
      '--hostname-override=localhost',
      `--root-dir=${folder}/kubelet`,
      `--cert-dir=${folder}/kubelet/pki`,
    ],
    kwok: () => [
      programs.kwok,
      '--kubeconfig=admin.kubeconfig',
      `--config=${programs.stages}`,
      '--manage-all-nodes=false',
      '--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake',
      '--node-lease-duration-seconds=40',
      `--server-address=127.0.0.1:${ports.kwok}`,
    ],
  };
  return commands[part]();
}
