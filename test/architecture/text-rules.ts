// What only one place may do, found in the text of the code.

import { type Rule, product } from './source.ts';

interface OnlyHere {
  what: string;
  pattern: RegExp;
  /** The files that are searched. */
  within: RegExp;
  allowed: RegExp;
  instead: string;
}

function onlyHere({ what, pattern, within, allowed, instead }: OnlyHere): Rule {
  return (files) =>
    product(files)
      .filter((file) => within.test(file.path) && !allowed.test(file.path))
      .flatMap((file) => {
        const found = pattern.exec(file.code)?.[0].trim();
        return found === undefined ? [] : [`${file.path} ${what} ("${found}"): ${instead}.`];
      });
}

const server = /^src\/(?:server|runner|node)\//;

export const onlyProcessSpawns = onlyHere({
  what: 'uses child processes',
  pattern: /['"](node:)?child_process['"]/,
  within: /^src\//,
  // A server starts one program itself: its runner.
  allowed: /^src\/(?:runner\/programs\/process|server\/runner-api\/own-runner\/launch)\.ts$/,
  instead:
    'only runner/programs/process.ts starts programs, so that every one of them can be ended',
});

export const onlyVaultDecrypts = onlyHere({
  what: 'decrypts',
  pattern: /\bcreateDecipheriv\b/,
  within: /^src\//,
  allowed: /^src\/server\/vault\/vault\.ts$/,
  instead: 'only vault/vault.ts opens secrets',
});

export const onlyConfigReadsEnvironment = onlyHere({
  what: 'reads the environment',
  pattern: /\bprocess\.env\b|\bimport\s*\{[^}]*\benv\b[^}]*\}\s*from\s*'node:process'/,
  within: server,
  allowed: /^src\/server\/config\/config\.ts$/,
  instead: 'only config.ts does; everything else takes its values from the Config',
});

export const onlyOneProgramParsesYaml = onlyHere({
  what: 'parses YAML',
  pattern: /from\s*'yaml'|import\('yaml'\)/,
  within: server,
  // The other two files read what administrators have written.
  allowed:
    /^src\/(runner\/sandbox\/requirements-file|server\/config\/read-settings|server\/config\/identity-file)\.ts$/,
  instead: 'only runner/sandbox/program.ts does, in a process with limits; add a command to it',
});

export const onlyStoresHoldSql = onlyHere({
  what: 'holds SQL',
  pattern:
    /\.(selectFrom|insertInto|updateTable|deleteFrom|replaceInto)\(|\bsql(<[^`]*>)?`|\/db\/rows\.ts'/,
  within: server,
  allowed: /^src\/server\/(db\/|.*\.store\.ts$)/,
  instead: 'only *.store.ts and db/ do; give the query a name in the store of its noun',
});

export const onlyStoresKnowFlags = onlyHere({
  what: 'maps flags',
  pattern: /\b(?:toFlag|fromFlag)\b/,
  within: server,
  allowed: /^src\/server\/(db\/|.*\.store\.ts$)/,
  instead: 'stores do, by db/plain-row.ts; everybody else sees booleans',
});

export const onlyPlainRowsReadColumns = onlyHere({
  what: 'converts columns by hand',
  pattern: /\bfromFlag\b|\bJSON\.(?:parse|stringify)\b/,
  within: /^src\/server\/.*\.store\.ts$/,
  allowed: /^src\/server\/db\//,
  instead: 'name the flags and the columns with JSON, and use db/plain-row.ts',
});

export const onlyOutboundAsks = onlyHere({
  what: 'asks other servers',
  pattern:
    /\bfetch\(|\bimport\s*\{[^}]*\b(?:request|get|fetch)\b[^}]*\}\s*from\s*'(?:node:https?|undici)'/,
  within: server,
  // The mirrors have a function `fetch` of git. A runner asks only its own server, whose address no
  // user of the console chooses.
  allowed: /^src\/(server\/lib\/outbound|runner\/client\/server-client|runner\/git\/mirror)\.ts$/,
  instead: 'only outbound.ts does, which reaches nothing inside for users',
});

export const onlyTokensHoldColours = onlyHere({
  what: 'names a colour',
  // A colour is a hash with 3, 4, 6 or 8 digits, as a value or in quotes, or a function. A function
  // that varies another colour names none.
  pattern:
    /(?<=['"`:,\s(])#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})(?![\w-])|\b(?:rgba?|hsla?|hwb|oklch|oklab|lab|lch)\((?!\s*from\s)/i,
  within: /^src\/web\//,
  allowed: /^src\/web\/styles\/tokens\.css$/,
  instead: 'colours stand in styles/tokens.css, for light and dark; name a role with var(--...)',
});

/** Why each of these cannot decide wrongly by what it finds stands in docs/decisions/0059. */
const searchOutput = [
  'runner/git/list-files',
  'runner/git/mirror',
  'runner/git/submodules',
  'runner/prepare/persistent-home',
  'runner/apps/tools',
  'runner/apps/ansible-errors',
  'runner/apps/ansible-steps',
  'server/db/snapshot/postgres-programs',
  'server/db/snapshot/postgres-restore',
  'server/db/snapshot/postgres-snapshot',
].map((name) => `src/${name}.ts`);

/** What a program prints is searched with a regular expression in named files only. */
export const onlyNamedFilesSearchOutput: Rule = (files) =>
  product(files)
    .filter(({ path }) => server.test(path) && !searchOutput.includes(path))
    .filter(({ code }) => /\bstd(?:out|err)\b/.test(code))
    .flatMap(({ path, code }) => {
      const found = /\.(?:exec|test|match|matchAll)\(/.exec(code)?.[0];
      return found === undefined
        ? []
        : [
            `${path} has the output of a program and a regular expression ("${found}"): ask for JSON or another exact form, or name the file in record 59 and here.`,
          ];
    });

/** What reads a file or a folder, or follows a link to it; `lstat` and `readlink` do neither. */
const reads =
  /^(?:access|cp|copyFile|createReadStream|exists|glob|open|openAsBlob|opendir|read|readdir|readFile|readv|realpath|stat|statfs|readSmallFile)(?:Sync)?$/;

/** These read other files than those of a checkout. */
const readers = [
  'prepare/ansible-settings', // settings of the machine
  'apps/ansible-plugin', // our own plugins for Ansible
  'apps/fact-cache', // the folder with the facts of a project
  'prepare/persistent-home', // the home folder of a project
  'apps/terraform-states', // the folder with the state of Terraform
  'apps/terraform-copies', // the names of files of the runner beside that folder
  'inspections/kept-states', // the names in a folder of the runner
  'inspections/replace-state', // states that the runner keeps, after their links are resolved
  'apps/terraform-origin', // notes of the runner beside that folder
  'runs/run-notes', // notes of the runner in the folder of a run
  'client/authority', // certificates that the administrator names
  'client/identity', // the identity of this runner
  'programs/control-group', // files of the system
  'workspace/credentials', // sockets of agents
  'sandbox/inside', // the one place for files of a checkout
  'sandbox/program', // its own command
  'runs/full-disk', // the free space of the disk
  'git/known-refs', // the folder of a mirror
  'git/local-folder', // folders that the administrator allows
  'git/ssh-errors', // what ssh says: bounded, in a folder of the runner
  'git/mirror', // the stored copies of repositories
  'git/kept-large-files', // what git-lfs has fetched: hashed and copied, and no link is followed
  'git/demo-repository', // the files of the product
  'programs/helpers', // notes on agents
  'programs/identity', // files of /proc
  'workspace/known-secrets', // secrets of a run
  'log/spool', // what a program prints
  'workspace/pins', // keys of hosts
  'programs/process', // programs of the system
  'programs/processes', // files of the system
  'prepare/ssh-programs', // our own script
  'prepare/git-ssh', // our own script
  'prepare/keys-by-host', // the names of our own files among the secrets of a run
  'outputs/outputs-file', // what programs hand on: bounded, and no link is followed
  'progress/follow-progress', // what our callback writes
  'progress/spool-lines', // what a program prints
  'prepare/caches', // what runs have installed
  'prepare/requirements', // the cache of requirements
  'tools/built-tools', // the cache of execution environments
  'tools/find-python', // programs of the system
  'kubernetes/kube-config', // a file of the administrator
  'kubernetes/pod-runner', // certificates of the administrator
  'pods/main-container', // what the shell of a main container writes
  'side-car/requests', // what the runner has sent
  'containers/arguments', // paths that the administrator allows
  'containers/container', // the data folder
  'containers/engine', // folders of the system
  'containers/images', // the free space of the disk
  'containers/kept-images', // the data folder
  'containers/left', // the folder of a run
  'runs/open-container', // the names of mirrors
  'tools/folder-tools', // a folder of the administrator
  'tools/list-pythons', // programs of the system
  'tools/open-tools', // the folder of a run
  'workspace/run-files', // copies a folder that the administrator allows
  'workspace/run-users', // the data folder
  'supervisor/supervisor', // the folder of a step
  'supervisor/stopping', // the folder of a step
  'runs/sweep', // the data folder
  'runs/clear-caches', // the data folder
  'claim-folder', // the names of folders of the data folder, and its note
  'own-folder', // the note of who works in the data folder
  'workspace/data-dir', // the data folder
  'workspace/workspace', // the folder of a run
]
  .map((name) => `src/runner/${name}.ts`)
  .concat(
    [
      'data-folder/known-hosts', // pinned keys of hosts
      'data-folder/set-aside', // the names in a folder of the runner
      'fs/disk-space', // the free space of the disk
      'fs/folder-lock', // the lock of the data folder
      'fs/small-file', // what the others here that import it read
      'process/installed-programs', // programs of the system
      'process/own-control-group', // files of the system
      'process/run-users', // the users of the system
      'process/version', // our own package
    ].map((name) => `src/node/${name}.ts`),
  );

/** These two know the path of the checkout and read files beside it. */
const knowTheCheckout = ['sandbox/inside', 'workspace/workspace'].map(
  (name) => `src/runner/${name}.ts`,
);

/** Files of a checkout are read by runner/sandbox only. */
export const onlyForeignReadsCheckouts: Rule = (files) =>
  product(files)
    .filter(({ path }) => /^src\/(?:runner|node)\//.test(path))
    .flatMap(({ path, code }) => {
      const found = readingImports(code);
      if (found === null) return [];
      const mayRead = readers.includes(path);
      const isApart = knowTheCheckout.includes(path) || !/checkout/i.test(code);
      return mayRead && isApart
        ? []
        : [`${path} reads files (${found}): what comes from a checkout is read by runner/sandbox.`];
    });

/** The function of node:fs that reads, or ours, among those that a file imports; null if there is none. */
function readingImports(code: string): string | null {
  const imports = code.matchAll(
    /import\s*([^;]*?)\s*from\s*'(?:(?:node:)?fs(?:\/promises)?|[./\w]*\/small-file\.ts)'/g,
  );
  for (const [, names = ''] of imports) {
    // An import of everything under one name does not show which functions are used.
    if (!names.startsWith('{')) return names;
    const found = names.match(/\w+/g)?.find((name) => reads.test(name));
    if (found) return found;
  }
  return null;
}
