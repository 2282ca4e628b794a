// Outbound address rule: the public internet, and what the administrator allows besides.

import { BlockList, isIP } from 'node:net';

/** Whether a host may be reached at an address that its name resolves to. */
export type IsAllowed = (host: string, address: string) => boolean;

type Network = [address: string, prefix: number];

// Special-purpose networks of RFC 6890 and its successors.
const private4: Network[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
// Only this part of IPv6 is global unicast. IPv4-mapped and NAT64 addresses lie outside it.
const public6: Network = ['2000::', 3];
const private6: Network[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const privateNetworks = new BlockList();
for (const [address, prefix] of private4) privateNetworks.addSubnet(address, prefix, 'ipv4');
for (const [address, prefix] of private6) privateNetworks.addSubnet(address, prefix, 'ipv6');
const publicNetworks6 = new BlockList();
publicNetworks6.addSubnet(...public6, 'ipv6');

export const familyOf = (address: string): 'ipv4' | 'ipv6' =>
  isIP(address) === 6 ? 'ipv6' : 'ipv4';

export function isPublic(address: string): boolean {
  const family = familyOf(address);
  if (isIP(address) === 0 || privateNetworks.check(address, family)) return false;
  return family === 'ipv4' || publicNetworks6.check(address, family);
}

const network = /^(.+)\/(\d{1,3})$/;

/** Separates addresses and networks from host names. */
export function parseNetworks(entries: string[]): { networks: BlockList; hosts: Set<string> } {
  const hosts = new Set<string>();
  const networks = new BlockList();
  for (const entry of entries) {
    const [, base = '', prefix = ''] = network.exec(entry) ?? [];
    if (isIP(base) > 0) networks.addSubnet(base, Number(prefix), familyOf(base));
    else if (isIP(entry) > 0) networks.addAddress(entry, familyOf(entry));
    else hosts.add(entry.toLowerCase());
  }
  return { networks, hosts };
}

/** Allows the public internet, and these hosts, addresses and networks. */
export function addressRule(allowed: string[]): IsAllowed {
  const { networks, hosts } = parseNetworks(allowed);
  return (host, address) =>
    isPublic(address) || hosts.has(host) || networks.check(address, familyOf(address));
}

/** Whether a text is a host, an address or a network. */
export function isHostOrNetwork(text: string): boolean {
  const [, base = '', prefix = ''] = network.exec(text) ?? [];
  if (isIP(base) > 0) return Number(prefix) <= (isIP(base) === 6 ? 128 : 32);
  return isIP(text) > 0 || /^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?$/i.test(text);
}
