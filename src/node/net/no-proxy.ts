// Decides which hosts are reached without a proxy. The list has the same meaning as for curl, so that git and the server
// behave alike: a name includes its subdomains, and networks may have a prefix length.

import { BlockList, isIP } from 'node:net';

const usualPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** `list`: names, addresses and networks, separated by commas or spaces; `*` is all hosts. */
export function isBypassed(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const port = url.port || (usualPorts[url.protocol] ?? '');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const { name, wanted } = splitPort(entry);
  if (wanted !== null && wanted !== port) return false;
  if (isIP(host) > 0) return matchesAddress(name, host);
  const suffix = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
}

/** An IPv6 address has colons, so its port needs brackets. */
function splitPort(entry: string): { name: string; wanted: string | null } {
  const [, inBrackets, name = inBrackets ?? entry, wanted = null] =
    /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  return { name, wanted };
}

function matchesAddress(name: string, host: string): boolean {
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
