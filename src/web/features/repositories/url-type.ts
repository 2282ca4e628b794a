// Finds the type of an address while it is typed, and converts an address to another type.

export const urlTypes = ['ssh', 'https', 'file', 'git', 'local'] as const;
export type UrlType = (typeof urlTypes)[number];

const schemed = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is;
// git's short form for ssh.
const short = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.*)$/s;

/** The type of the URL; null if it has none yet, or an unknown one. */
export function urlType(url: string): UrlType | null {
  const text = url.trim();
  if (text === '') return null;
  if (text.startsWith('/')) return 'local';
  const scheme = schemed.exec(text)?.[1]?.toLowerCase();
  return scheme === undefined ? 'ssh' : (urlTypes.find((type) => type === scheme) ?? null);
}

/** Whether the connection is not encrypted. */
export const isPlainHttp = (url: string): boolean => /^\s*http:\/\//i.test(url);

/** Changes a URL to another type; only the parts that the type determines change. */
export function withUrlType(url: string, type: UrlType): string {
  const text = url.trim();
  if (urlType(text) === type) return text;
  const address = addressOf(text);
  const path = `/${address.replace(/^\/+/, '')}`;
  if (type === 'local') return path;
  if (type === 'file') return address === '' ? 'file://' : `file://${path}`;
  return `${type}://${address.replace(/^\/+/, '')}`;
}

function addressOf(text: string): string {
  const rest = schemed.exec(text)?.[2];
  if (rest !== undefined) return rest;
  const [, host, path] = short.exec(text) ?? [];
  return host === undefined ? text : `${host}/${path}`;
}
