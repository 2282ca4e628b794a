// The kinds of repository address, derived from the address itself.

export const repositoryTypes = ['ssh', 'https', 'http', 'git', 'file', 'local'] as const;
export type RepositoryType = (typeof repositoryTypes)[number];

/** The type of an address, or null when we do not take it. */
export function repositoryType(url: string): RepositoryType | null {
  if (url.startsWith('/')) return 'local';
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(url);
  if (scheme) {
    const name = scheme[1]?.toLowerCase() ?? '';
    const isKnown = repositoryTypes.find((type) => type === name && type !== 'local');
    return isKnown && plausible(scheme[2] ?? '', name === 'file') ? isKnown : null;
  }
  // git's short form for ssh: user@host:path, or host:path.
  return /^(?:[\w.-]+@)?[\w.[\]:-]+:[^\s:][^\s]*$/.test(url) && isPlainStart(url) ? 'ssh' : null;
}

const isPlainStart = (text: string): boolean => /^[\w[]/.test(text) && !text.includes('::');

// A host that begins with a dash would become an option of ssh.
function plausible(rest: string, isFile: boolean): boolean {
  if (isFile) return rest.startsWith('/') && !/\s/.test(rest);
  return /^(?:[^\s/@]+@)?[\w[][^\s/]*\/\S+$/.test(rest);
}

/** The folder that a local or file address names, or null for the others. */
export function localPath(url: string): string | null {
  const type = repositoryType(url);
  if (type === 'local') return url;
  return type === 'file' ? decodeURI(url.slice('file://'.length)) : null;
}
