// The two hashes by which git names objects, SHA-1 and SHA-256. A repository has one of them for all of its
// objects, so a copy needs the same.

const isSha256 = (hash: string): boolean => hash.length === 64;

/** The beginning of git's file `config` for a repository with objects such as the one of this hash. */
export const formatConfig = (hash: string, isBare: boolean): string =>
  [
    ...(isSha256(hash) ? ['[extensions]', `\t${sha256Setting}`] : []),
    '[core]',
    `\trepositoryformatversion = ${isSha256(hash) ? 1 : 0}`,
    `\tbare = ${isBare}`,
    '',
  ].join('\n');

const sha256Setting = 'objectformat = sha256';

/** Whether a repository with this text of `config` has objects such as the one of this hash. */
export const hasFormat = (config: string, hash: string): boolean =>
  config.includes(sha256Setting) === isSha256(hash);

/** A hash in what is known of the refs of a repository; empty: there is none. */
export const anyHash = (refs: string): string =>
  /^(?:[0-9a-f]{64}|[0-9a-f]{40})(?=\s|$)/m.exec(refs)?.[0] ?? '';
