// Decides which hosts are reached without a proxy. The list means what it means to curl, so that git
// and our own requests take the same way: a name also stands for the names below it, and a network may
// be given by its prefix.

import { BlockList, isIP } from 'node:net';

const usualPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** `list`: names, addresses and networks, separated by commas or spaces; `*` stands for all hosts. */
export function isBypassed(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const port = url.port || (usualPorts[url.protocol] ?? '');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => isMeant(entry, host, port));
}

function isMeant(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const { name, wanted } = splitPort(entry);
  if (wanted !== null && wanted !== port) return false;
  if (isIP(host) > 0) return isAddressMeant(name, host);
  const suffix = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
}

/** An IPv6 address has colons of its own, and a port only behind brackets. */
function splitPort(entry: string): { name: string; wanted: string | null } {
  const [, inBrackets, name = inBrackets ?? entry, wanted = null] =
    /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  return { name, wanted };
}

function isAddressMeant(name: string, host: string): boolean {
  const [base = '', prefix] = name.split('/');
  if (isIP(base) === 0) return false;
  const list = new BlockList();
  const bits = prefix === undefined ? null : Number(prefix);
  if (bits === null) list.addAddress(base, familyOf(base));
  else if (Number.isInteger(bits) && bits >= 0 && bits <= (isIP(base) === 6 ? 128 : 32)) {
    list.addSubnet(base, bits, familyOf(base));
  }
  return list.check(host, familyOf(host));
}
