// Reads the refs of a repository on this machine, because starting git takes longer. The text is only compared with
// an earlier one, so it is not parsed. The paths are those of gitrepository-layout(5).

import { join } from 'node:path';
import { isFolder, listInside, readInside, resolveInside } from '../sandbox/inside.ts';

/** git reads more files faster. */
const MAX_FILES = 50;

/**
 * The texts of HEAD, packed-refs, shallow and the files of branches and tags; null: the refs are stored in
 * another way, such as in a worktree or a reftable, or in too many files.
 */
export function readLocalRefs(folder: string): string | null {
  const at = isFolder(folder, '.git') ? join(folder, '.git') : folder;
  if (!isFolder(at, 'refs/heads') || resolveInside(at, 'reftable') !== 'absent') return null;
  const texts: string[] = [];
  const isWhole = ['HEAD', 'packed-refs', 'shallow', 'refs/heads', 'refs/tags'].every((path) =>
    addTexts(texts, at, path),
  );
  return isWhole ? texts.join('\n') : null;
}

/** A symbolic ref whose target is not read here. */
const leadsElsewhere = /^ref: (?!refs\/(?:heads|tags)\/)/;

/** Adds the text of a file, or of all files below a folder; false: use git instead. */
function addTexts(texts: string[], at: string, path: string): boolean {
  if (isFolder(at, path)) {
    return listInside(at, path).every((name) => addTexts(texts, at, `${path}/${name}`));
  }
  if (texts.length === MAX_FILES) return false;
  const found = readInside(at, path);
  if (found === null) return true;
  if (!('text' in found) || leadsElsewhere.test(found.text)) return false;
  texts.push(`${path}\n${found.text}`);
  return true;
}
