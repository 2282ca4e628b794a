// The git addresses for which a key of the project is used: an ssh host, or addresses with a prefix.

export const hostConfigTypes = ['host', 'url'] as const;
export type HostConfigType = (typeof hostConfigTypes)[number];

/** The properties of git connections for which a key is used. */
export interface KeyScope {
  scheme: 'ssh' | 'https' | 'http';
  /** Empty: any. */
  user: string;
  /** In lower case; an IPv6 address without brackets. */
  host: string;
  /** Null: the default of the scheme, and for a host any. */
  port: number | null;
  /** Without leading and trailing slashes; empty: any. */
  path: string;
}

const hostPattern = /^(?:\[([\da-f:.]+)\]|([a-z\d][\w.-]*))(?::([1-9]\d{0,4}))?$/i;
const urlPattern = /^(ssh|https?):\/\/(?:(\w[\w.+-]*)@)?([^/@\s]+)(?:\/([\w.~+@:,=%/-]*))?$/i;

/** Null: not a valid host or prefix. */
export function readHostConfig(type: HostConfigType, text: string): KeyScope | null {
  if (type === 'host') return readHost(text, { scheme: 'ssh', user: '', path: '' });
  const [, scheme = '', user = '', host = '', path = ''] = urlPattern.exec(text) ?? [];
  const plain = plainPath(path);
  if (plain === null) return null;
  return readHost(host, { scheme: scheme.toLowerCase() as KeyScope['scheme'], user, path: plain });
}

const sshUrl = /^ssh:\/\/(?:([^@/]*)@)?([^/@]+)\/(.*)$/i;
const shortForm = /^(?:([^@/]*)@)?(\[[^\]]+\]|[^:@[\]/]+):(.*)$/;

/** The ssh connection for this address; null: another protocol. */
export function scopeOfAddress(url: string): KeyScope | null {
  const parts = sshUrl.exec(url) ?? (url.includes('://') ? null : shortForm.exec(url));
  const [, user = '', host = '', path = ''] = parts ?? [];
  const plain = plainPath(path);
  if (plain === null || plain === '') return null;
  const scope = readHost(host, { scheme: 'ssh', user, path: plain });
  return scope && { ...scope, port: scope.port ?? 22 };
}

function readHost(text: string, rest: Pick<KeyScope, 'scheme' | 'user' | 'path'>): KeyScope | null {
  const [found, ipv6, name, port] = hostPattern.exec(text) ?? [];
  if (found === undefined || Number(port ?? 1) > 65_535) return null;
  const host = (ipv6 ?? name ?? '').toLowerCase();
  return { ...rest, host, port: port === undefined ? null : Number(port) };
}

/** Decoded, without leading and trailing slashes; null: it has `.` or `..`, or characters that a shell would interpret. */
function plainPath(path: string): string | null {
  let text: string;
  try {
    text = decodeURIComponent(path);
  } catch {
    return null;
  }
  const names = text.replace(/^\//, '').replace(/\/$/, '').split('/');
  const isWhole = text === '' || text === '/' || names.every((name) => name !== '');
  if (!isWhole || names.some((name) => name === '.' || name === '..')) return null;
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[\u0000-\u001f\u007f'"!\\]/.test(text) ? null : names.join('/');
}

/** ssh hosts accept public keys, web servers logins. */
export const keyTypeFor = ({ scheme }: KeyScope): 'ssh' | 'login_password' =>
  scheme === 'ssh' ? 'ssh' : 'login_password';
