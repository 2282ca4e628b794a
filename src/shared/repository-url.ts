// The kinds of repository address, derived from the address itself.

const repositoryTypes = ['ssh', 'https', 'http', 'git', 'file', 'local'] as const;
type RepositoryType = (typeof repositoryTypes)[number];

/** The type of a repository address; null when the address is not supported. */
export function repositoryType(url: string): RepositoryType | null {
  if (url.startsWith('/')) return 'local';
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(url);
  if (scheme) {
    const name = scheme[1]?.toLowerCase() ?? '';
    const isKnown = repositoryTypes.find((type) => type === name && type !== 'local');
    return isKnown && plausible(scheme[2] ?? '', name === 'file') ? isKnown : null;
  }
  // An address such as `javascript:…`, which a browser would execute, is not a host with a path.
  if (/^(?:javascript|vbscript|data):/i.test(url)) return null;
  // git's short form for ssh: user@host:path, or host:path.
  return isShortForm(url) && isPlainStart(url) ? 'ssh' : null;
}

/** Whether an address is in git's short form for ssh, with a colon behind the host. */
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

/** The path as git decodes it, where %2F is a slash; null when that fails or the path has control characters. */
function decoded(path: string): string | null {
  try {
    const text = decodeURIComponent(path);
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    return /[\u0000-\u001f\u007f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** The folder that a local or `file:` address names; null for other addresses. */
export function localPath(url: string): string | null {
  const type = repositoryType(url);
  if (type === 'local') return url;
  return type === 'file' ? decoded(url.slice('file://'.length)) : null;
}

/** Whether an address contains a password, which would be visible wherever the address is shown. */
export function hasPassword(url: string): boolean {
  const [, authority = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/]*)/i.exec(url) ?? [];
  return authority.slice(0, Math.max(0, authority.lastIndexOf('@'))).includes(':');
}
