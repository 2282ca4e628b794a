// The hash functions of git, SHA-1 and SHA-256. All objects of a repository use the same one, so copies need it too.

const isSha256 = (hash: string): boolean => hash.length === 64;

/** The beginning of git's file `config` for a repository with the hash function of this hash. */
export const formatConfig = (hash: string, isBare: boolean): string =>
  [
    ...(isSha256(hash) ? ['[extensions]', `\t${sha256Setting}`] : []),
    '[core]',
    `\trepositoryformatversion = ${isSha256(hash) ? 1 : 0}`,
    `\tbare = ${isBare}`,
    '',
  ].join('\n');

const sha256Setting = 'objectformat = sha256';

/** Whether a repository with this `config` uses the hash function of this hash. */
export const hasFormat = (config: string, hash: string): boolean =>
  config.includes(sha256Setting) === isSha256(hash);

/** Any hash in a list of refs; empty: there is none. */
export const anyHash = (refs: string): string =>
  /^(?:[0-9a-f]{64}|[0-9a-f]{40})(?=\s|$)/m.exec(refs)?.[0] ?? '';
