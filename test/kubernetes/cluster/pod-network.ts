// The way from a pod to a server of this machine. A pod reaches the first address of the pods' network, and the servers
// listen on 127.0.0.1 only, so a forwarder listens on the first address.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const gatewayOf = (network: string): string => `${network}.1`;

const numberOf = (network: string): string | undefined => network.split('.')[2];

/** The addresses of services, and the first of them, which is that of the API server for pods. */
export const servicesOf = (network: string): string => `10.96.${numberOf(network)}.0/24`;
export const apiAddressOf = (network: string): string => `10.96.${numberOf(network)}.1`;

const ip = (...args: string[]): void => {
  execFileSync('ip', ['address', ...args, 'dev', 'lo'], { stdio: 'ignore' });
};

const networks = Array.from({ length: 256 }, (_, third) => `10.211.${third}`);

/** Adds the first address of a network of pods to this machine: it fails if another cluster has it. */
export function claimNetwork(): string {
  const claimed = networks.find((network) => {
    try {
      ip('add', `${gatewayOf(network)}/32`);
      ip('add', `${apiAddressOf(network)}/32`);
      return true;
    } catch {
      return false;
    }
  });
  if (claimed === undefined) throw new Error('No network for pods is free, or `ip` has no right.');
  return claimed;
}

export function releaseNetwork(network: string): void {
  for (const address of [gatewayOf(network), apiAddressOf(network)]) {
    try {
      ip('del', `${address}/32`);
    } catch {
      // The machine was started again since.
    }
  }
}

const forwarders = new Map<string, Promise<void>>();

async function forward(host: string, port: number, target: number): Promise<void> {
  const server = createServer((incoming) => {
    const outgoing = connect(target, '127.0.0.1');
    incoming.pipe(outgoing).pipe(incoming);
    incoming.once('error', () => outgoing.destroy());
    outgoing.once('error', () => incoming.destroy());
  });
  server.listen(port, host).unref();
  await once(server, 'listening');
}

function forwardOnce(host: string, port: number, target: number): Promise<void> {
  const address = `${host}:${port}`;
  const forwarder = forwarders.get(address) ?? forward(host, port, target);
  forwarders.set(address, forwarder);
  return forwarder;
}

/** Returns the address by which pods reach a server that listens on a port of 127.0.0.1. */
export async function reachable(network: string, port: number): Promise<string> {
  const host = gatewayOf(network);
  await forwardOnce(host, port, port);
  return `http://${host}:${port}`;
}

/** Lets pods reach the API server at the address that they are told, as the network of other clusters does. */
export const openApi = (network: string, apiPort: number): Promise<void> =>
  forwardOnce(apiAddressOf(network), 443, apiPort);
