// Hashes what the packages of a requirements.txt depend on, so that a cached virtual environment is used only
// where a new one would be the same.

import { createHash, type Hash } from 'node:crypto';
import { stateOf } from '../sandbox/inside.ts';

interface PackageSources {
  projectId: number;
  /** The program of the template, and the version of the Python behind it. */
  program: string;
  python: string;
  text: string;
  /** The variables of the template's environment. */
  variables: Record<string, string>;
  /** Changes with sources inside the repository: the commit, the file and the working folder. */
  version: string;
}

/**
 * All that the installed packages depend on:
 * - the project, because others may not see the packages of its private index;
 * - the Python, because an environment of another version finds none of its packages;
 * - the text of the requirements, with the values of the variables in it;
 * - the variables with settings of pip, such as its index;
 * - with local sources: the commit, the place of the file, and the state of files outside of the checkout.
 * Versions without a pin, and branches of remote repositories, are those of the first run.
 */
export function keyOfPackages(sources: PackageSources): Hash {
  const { projectId, program, python, text, variables, version } = sources;
  const named = new Set([...text.matchAll(/\$\{([A-Z0-9_]{1,200})\}/g)].map(([, name]) => name));
  const settings = Object.entries(variables)
    .filter(([name]) => named.has(name) || name.startsWith('PIP_'))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const lines = text.split('\n').map((line) => line.trim());
  const local = lines.filter(isLocal);
  const isFromFiles =
    local.length > 0 || localSettings.some((name) => Object.hasOwn(variables, name));
  const parts = [projectId, program, python, text, settings];
  const ofFiles = isFromFiles ? [version, ...local.flatMap(statesOutside)] : [];
  return createHash('sha256').update(JSON.stringify([...parts, ...ofFiles]));
}

/** Settings that can refer to files. */
const localSettings = ['PIP_CONSTRAINT', 'PIP_FIND_LINKS', 'PIP_REQUIREMENT', 'PIP_CONFIG_FILE'];

const remote = /^(?:(?:git|hg|svn|bzr)\+)?(?:https?|ssh|git):\/\//i;
const named = /^\w[\w.-]*/;
/** What may follow the name of a package of an index, and its extras. */
const specifier = /^(?:$|[(<>=!~;#\\]|--)/;
const archive = /\.(?:whl|zip|tar|gz|tgz|bz2|tbz|xz|txz|lzma|tlz)$/i;

/** Unknown forms count as local, which only costs an installation. */
function isLocal(line: string): boolean {
  if (line === '' || line.startsWith('#') || line.startsWith('--hash')) return false;
  if (remote.test(line)) return false;
  const [name = ''] = named.exec(line) ?? [];
  if (name === '') return true;
  const rest = line.slice(name.length).trimStart();
  const after = rest.startsWith('[') ? rest.slice(rest.indexOf(']') + 1).trimStart() : rest;
  if (after.startsWith('@')) return !remote.test(after.slice(1).trimStart());
  return !specifier.test(after) || archive.test(name);
}

/** The states of files and folders with absolute paths in a line. */
const statesOutside = (line: string): string[] =>
  [...line.matchAll(/(?:^|[\s=@]|file:(?:\/\/)?)(\/[^\s;#]*)/g)].map(
    ([, path = '']) => `${path} ${stateOf(path)}`,
  );
