// Names what the packages of a requirements.txt depend on, so that a kept virtual environment is used
// only where a new one would be the same.

import { createHash, type Hash } from 'node:crypto';
import { stateOf } from '../sandbox/inside.ts';

interface PackageSources {
  projectId: number;
  /** The program of the template, and what the Python behind it says of itself. */
  program: string;
  python: string;
  text: string;
  /** The variables that the environment of the template sets. */
  variables: Record<string, string>;
  /** Changes with the sources inside the repository: the commit, the file and the folder of the run. */
  version: string;
}

/**
 * All that the installed packages depend on:
 * - the project, because others may not see the packages of its private index;
 * - the Python, because an environment of another version finds none of its packages;
 * - the text of the requirements, with the values of the variables that it names;
 * - the settings of pip among the variables, such as its index;
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

/** Those that can name files. */
const localSettings = ['PIP_CONSTRAINT', 'PIP_FIND_LINKS', 'PIP_REQUIREMENT', 'PIP_CONFIG_FILE'];

const remote = /^(?:(?:git|hg|svn|bzr)\+)?(?:https?|ssh|git):\/\//i;
const named = /^\w[\w.-]*/;
/** What follows the name of a package of an index, and its extras. */
const specifier = /^(?:$|[(<>=!~;#\\]|--)/;
const archive = /\.(?:whl|zip|tar|gz|tgz|bz2|tbz|xz|txz|lzma|tlz)$/i;

/** Whatever is not known to be elsewhere counts as local: to install again is no harm. */
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

/** The states of the files and folders that a line names by absolute paths. */
const statesOutside = (line: string): string[] =>
  [...line.matchAll(/(?:^|[\s=@]|file:(?:\/\/)?)(\/[^\s;#]*)/g)].map(
    ([, path = '']) => `${path} ${stateOf(path)}`,
  );
