// The types of repository addresses, and the place of a repository at its git host.

const repositoryTypes = ['ssh', 'https', 'http', 'git', 'file', 'local'] as const;
type RepositoryType = (typeof repositoryTypes)[number];

/** Null: not supported. */
export function repositoryType(url: string): RepositoryType | null {
  if (url.startsWith('/')) return 'local';
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(url);
  if (scheme) {
    const name = scheme[1]?.toLowerCase() ?? '';
    const isKnown = repositoryTypes.find((type) => type === name && type !== 'local');
    return isKnown && plausible(scheme[2] ?? '', name === 'file') ? isKnown : null;
  }
  // Browsers would execute `javascript:…`, so it is not a host with a path.
  if (/^(?:javascript|vbscript|data):/i.test(url)) return null;
  // git's short form of ssh: user@host:path, or host:path.
  return isShortForm(url) && isPlainStart(url) ? 'ssh' : null;
}

function isShortForm(url: string): boolean {
  const path = url.search(/:[^\s:]/);
  return path > 0 && /^(?:[\w.-]+@)?[\w.[\]:-]+$/.test(url.slice(0, path)) && !/\s/.test(url);
}

const isPlainStart = (text: string): boolean => /^[\w[]/.test(text) && !text.includes('::');

// A host or user that begins with a dash would become an option of ssh.
function plausible(rest: string, isFile: boolean): boolean {
  if (isFile) return rest.startsWith('/') && !/\s/.test(rest) && decoded(rest) !== null;
  return /^(?:[^\s/-][^\s/]*@)?[\w[][^\s/@]*\/\S+$/.test(rest);
}

/** The path as git decodes it, where %2F is a slash; null: invalid, or with control characters. */
function decoded(path: string): string | null {
  try {
    const text = decodeURIComponent(path);
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    return /[\u0000-\u001f\u007f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** The folder of a local or `file:` address; null: another address. */
export function localPath(url: string): string | null {
  const type = repositoryType(url);
  if (type === 'local') return url;
  return type === 'file' ? decoded(url.slice('file://'.length)) : null;
}

/** Passwords in addresses would be visible wherever the address is shown. */
export function hasPassword(url: string): boolean {
  const [, authority = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/]*)/i.exec(url) ?? [];
  return authority.slice(0, Math.max(0, authority.lastIndexOf('@'))).includes(':');
}

/** The software of git hosts that show commit statuses; `gitea` includes Forgejo. */
export const statusHosts = ['github', 'gitlab', 'gitea'] as const;
export type StatusHost = (typeof statusHosts)[number];

interface StatusPlace {
  /** Scheme, host and port of the API. */
  origin: string;
  /** The parts of the path of the repository, whose last one is its name. */
  path: string[];
}

// Hosts that provide ssh at the port of https.
const sshHosts: Record<string, string> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};

/** The place of a repository's API; null: folders, and addresses without an owner. */
export function readStatusPlace(url: string): StatusPlace | null {
  const type = repositoryType(url);
  if (type === null || type === 'local' || type === 'file') return null;
  const parts = /^[a-z]+:\/\//i.test(url) ? ofUrl(url, type) : ofShortForm(url);
  const path = parts && namesOf(parts.path);
  return parts && path ? { origin: parts.origin, path } : null;
}

interface Parts {
  origin: string;
  path: string;
}

const urlParts = /^[^:]+:\/\/(?:[^/]*@)?(\[[\w:.]+\]|[^/:@[\]]+)(?::(\d{1,5}))?(\/.*)$/;

function ofUrl(text: string, type: string): Parts | null {
  const [, host = '', port, path = ''] = urlParts.exec(text) ?? [];
  if (host === '') return null;
  if (type === 'http' || type === 'https') {
    return { origin: `${type}://${host.toLowerCase()}${port ? `:${port}` : ''}`, path };
  }
  // The port is that of ssh or git, not of the API.
  return { origin: `https://${apiHost(host)}`, path };
}

function ofShortForm(text: string): Parts | null {
  const [, host = '', path = ''] = /^(?:[^@\s]*@)?([\w.-]+|\[[\w:.]+\]):(.*)$/.exec(text) ?? [];
  return host === '' ? null : { origin: `https://${apiHost(host)}`, path };
}

const apiHost = (host: string): string => sshHosts[host.toLowerCase()] ?? host.toLowerCase();

/** The parts of a path, without the ending `.git`; null: fewer than two, or `.` and `..`. */
function namesOf(path: string): string[] | null {
  const names = path
    .replace(/\.git\/*$/, '')
    .split('/')
    .filter((name) => name !== '');
  const plain = names.map(decoded);
  const isWrong = plain.some((name) => name === null || /^\.{1,2}$|\//.test(name));
  return isWrong || plain.length < 2 ? null : (plain as string[]);
}
