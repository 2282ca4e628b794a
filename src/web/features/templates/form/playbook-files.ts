import type { RepositoryFiles } from '#shared/api/repositories.ts';

const plain = (path: string): string =>
  path
    .trim()
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/$/, '');

const isOdd = (path: string): boolean => path.split('/').some((part) => /^\.{1,2}$/.test(part));

/** The files below a working folder, with paths relative to it. */
export function filesWithin(files: RepositoryFiles, folder: string): RepositoryFiles {
  const wanted = plain(folder);
  if (wanted === '' || wanted === '.') return files;
  const start = `${wanted}/`;
  const cut = (paths: string[]): string[] =>
    paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
  const isListed = !isOdd(wanted) && !files.others.some((one) => isOpaqueOf(one, start));
  return {
    playbooks: cut(files.playbooks),
    others: cut(files.others).filter((path) => path !== ''),
    complete: files.complete && isListed,
  };
}

/** Whether a path is in a submodule or a linked folder, whose content is not listed. */
const isOpaqueOf = (known: string, path: string): boolean =>
  known.endsWith('/') && path.startsWith(known);

/** Whether a branch certainly has no file or folder with this path. */
export function isMissing({ playbooks, others, complete }: RepositoryFiles, path: string): boolean {
  const wanted = plain(path);
  if (!complete || wanted === '' || isOdd(wanted)) return false;
  return ![...playbooks, ...others].some(
    (known) => known === wanted || isOpaqueOf(known, `${wanted}/`),
  );
}
