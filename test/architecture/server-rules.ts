// Which part of the server may import which: request → route → use case → store → database.

import { nounOf } from './nouns.ts';
import { type Import, type Rule, type SourceFile, product } from './source.ts';

type Role = 'root' | 'http' | 'db' | 'live' | 'runner' | 'cli' | 'route' | 'store' | 'use-case';

interface FileRole {
  role: Role;
  /** The folder of the file; for routes, stores and use cases it is the noun. */
  folder: string;
}

const technical = new Set<string>(['http', 'db', 'live', 'runner', 'cli']);

// The composition may import everything; only the command line imports the composition.
const composition = new Set([
  'src/server/main.ts',
  'src/server/app.ts',
  'src/server/open-context.ts',
  'src/server/open-metrics.ts',
  'src/server/task-service.ts',
]);

// The only parts of other folders that a route may import: how an endpoint is served, and the
// cookies of a session, which every way to sign in sets.
const openToRoutes = new Set(['src/server/http/serve.ts', 'src/server/people/session/cookies.ts']);

// The runner API reads and writes these rows for runners.
const storesOfRunnerApi = new Set(['tasks', 'runners']);
// A store raises one refusal: that a unique rule of its table is broken.
const openToStores = new Set(['src/server/lib/errors.ts']);

// Folders that serve all nouns and know none, in addition to the folders with a role of their own.
const base = new Set(['config', 'context', 'lib']);

function placeOf(path: string): FileRole | null {
  const parts = path.split('/');
  if (parts[0] !== 'src' || parts[1] !== 'server') return null;
  const room = parts[2] ?? '';
  const isShared = path === 'src/server/resources/resource.ts';
  if (parts.length === 3 || base.has(room) || isShared) return { role: 'root', folder: '' };
  if (technical.has(room)) return { role: room as Role, folder: room };
  const folder = nounOf(path);
  if (path.endsWith('.routes.ts')) return { role: 'route', folder };
  if (path.endsWith('.store.ts')) return { role: 'store', folder };
  if (room === 'runner-api') return { role: 'runner', folder: room };
  return { role: 'use-case', folder };
}

const isFeature = (place: FileRole): boolean =>
  place.role === 'route' || place.role === 'store' || place.role === 'use-case';

/** Returns why the import is refused, or null. */
type Judge = (from: FileRole, to: FileRole, target: string) => string | null;

const judges: Record<Exclude<Role, 'cli'>, Judge> = {
  root: () => null,
  route(from, to, target) {
    if (to.role === 'root' || to.folder === from.folder || openToRoutes.has(target)) return null;
    if (!isFeature(to)) return `a route knows of ${to.folder}/ only serve.ts`;
    return 'a route imports only its own use cases and store';
  },
  'use-case'(from, to) {
    if (to.role === 'root' || to.role === 'db' || to.role === 'live') return null;
    if (to.role === 'route') return 'a use case does not know routes';
    if (to.role === 'store' && to.folder !== from.folder) {
      return "another noun's rows are reached through its use cases, not its store";
    }
    return isFeature(to) ? null : `a use case does not know ${to.folder}/`;
  },
  store(from, to, target) {
    if (to.role === 'db' || openToStores.has(target)) return null;
    if (to.role === 'store' && to.folder === from.folder) return null;
    const isOwnUseCases = target.endsWith(`/${from.folder}/${from.folder}.ts`);
    if (to.role === 'use-case' && to.folder === from.folder && !isOwnUseCases) return null;
    return 'a store imports only db/, the contract, and the pure files beside it';
  },
  http: (_from, to) => belowFeatures('http', to, ['runner', 'cli']),
  db: (_from, to) => belowFeatures('db', to, ['http', 'live', 'runner', 'cli']),
  live: (_from, to) => belowFeatures('live', to, ['http', 'runner', 'cli']),
  runner(_from, to) {
    if (to.role === 'route') return 'the runner knows no routes';
    if (to.role === 'http' || to.role === 'cli') return `the runner knows no ${to.role}/`;
    if (to.role === 'store' && !storesOfRunnerApi.has(to.folder)) {
      return 'of stores the runner knows those of tasks and runners only';
    }
    return null;
  },
};

function belowFeatures(own: string, to: FileRole, refused: Role[]): string | null {
  if (isFeature(to)) return `${own}/ knows no feature`;
  return refused.includes(to.role) ? `${own}/ does not know ${to.folder}/` : null;
}

export const serverLayers: Rule = (files) =>
  eachServerImport(files, (file, from, { target }) => {
    const to = placeOf(target);
    if (!to || from.role === 'cli' || composition.has(file.path)) return null;
    if (composition.has(target)) return 'only main.ts and cli/ use the composition';
    return judges[from.role](from, to, target);
  });

export const storesImportLittle: Rule = (files) =>
  eachServerImport(files, (_file, from, { target, isFile }) => {
    if (from.role !== 'store' || isFile) return null;
    return target === 'kysely' || target.startsWith('node:')
      ? null
      : 'a store needs no package but kysely';
  });

/** What a server may import of the runner: the API between both and the settings of a runner. */
const openToServer =
  /^src\/runner\/(?:api\/|config\/|git\/mirror-name\.ts$|workspace\/data-dir\.ts$)/;

/** These files start runners. */
const startsRunners = new Set([
  'src/server/cli/remote-runner.ts',
  'src/server/open-context.ts',
  'src/server/task-service.ts',
  'src/server/runner-api/own-runner/launch.ts',
  'src/server/runner-api/own-runner/own-runner.ts',
]);

/** These start programs of administrators, for backups of the installation. */
const startsPrograms = new Set([
  'src/server/administration/installation-backup/backup-process.ts',
  'src/server/administration/installation-backup/send-backup.ts',
  'src/server/db/snapshot/postgres-programs.ts',
]);

export const runnerStandsAlone: Rule = (files) =>
  product(files)
    .filter(({ path }) => path.startsWith('src/runner/'))
    .flatMap((file) =>
      file.imports
        .filter(({ target, isFile }) =>
          isFile
            ? !/^(?:src\/(?:runner|node|shared)\/|package\.json$)/.test(target)
            : !isOfRunner(target) && !isOfCluster(file.path, target),
        )
        .map(({ target }) =>
          refusal(
            file,
            target,
            'a runner needs nothing but itself, src/node, the contract and few packages',
          ),
        ),
    );

/** Below runner and server: it knows neither. */
export const nodeStandsBelow: Rule = (files) =>
  product(files)
    .filter(({ path }) => path.startsWith('src/node/'))
    .flatMap((file) =>
      file.imports
        .filter(({ target, isFile }) =>
          isFile ? !/^(?:src\/(?:node|shared)\/|package\.json$)/.test(target) : !isOfRunner(target),
        )
        .map(({ target }) => refusal(file, target, 'src/node stands below runner and server')),
    );

/**
 * The files that a remote runner loads first: the path from the command `signalbox server` to it.
 */
const ofRemoteRunner = ['main', 'cli/server', 'cli/remote-runner', 'cli/failure-words'].map(
  (name) => `src/server/${name}.ts`,
);

/** A machine that only runs tasks needs none of the other packages. */
export const remoteRunnersNeedFewPackages: Rule = (files) => {
  const byPath = new Map(product(files).map((file) => [file.path, file]));
  const loaded = new Set(ofRemoteRunner);
  const problems: string[] = [];
  for (const path of loaded) {
    const file = byPath.get(path);
    for (const { target, isFile, isTypeOnly, isLazy } of file?.imports ?? []) {
      if (!file || isTypeOnly || isLazy) continue;
      if (isFile) loaded.add(target);
      else if (!isOfRunner(target)) {
        problems.push(
          refusal(file, target, 'a remote runner loads this file, and has few packages'),
        );
      }
    }
  }
  return problems;
};

/** Loaded by runners of a cluster only. */
const isOfCluster = (path: string, target: string): boolean =>
  path.startsWith('src/runner/kubernetes/') && target === '@kubernetes/client-node';

const isOfRunner = (target: string): boolean =>
  target.startsWith('node:') || ['zod', 'jose', 'pino', 'yaml'].includes(target);

export const runnerIsEnteredInFewPlaces: Rule = (files) =>
  eachServerImport(files, (file, _from, { target }) => {
    if (!target.startsWith('src/runner/') || openToServer.test(target)) return null;
    const isProgram = target === 'src/runner/programs/process.ts' && startsPrograms.has(file.path);
    return isProgram || startsRunners.has(file.path)
      ? null
      : 'the server reaches runners by the runner API and its task queue only';
  });

export const serverStaysOnItsSide: Rule = (files) =>
  eachServerImport(files, (_file, _from, { target, isFile }) => {
    if (!isFile || /^src\/(server|runner|node|shared)\//.test(target) || target === 'package.json')
      return null;
    return 'the server imports only itself, the contract and src/node';
  });

export const nobodyImportsTests: Rule = (files) =>
  product(files).flatMap((file) =>
    file.imports
      .filter(({ target, isFile }) => isFile && /^test\/|\.test\.tsx?$/.test(target))
      .map(({ target }) => refusal(file, target, 'the product does not import tests')),
  );

function eachServerImport(
  files: SourceFile[],
  judge: (file: SourceFile, from: FileRole, found: Import) => string | null,
): string[] {
  return product(files).flatMap((file) => {
    const from = placeOf(file.path);
    if (!from) return [];
    return file.imports.flatMap((found) => {
      const reason = judge(file, from, found);
      return reason === null ? [] : [refusal(file, found.target, reason)];
    });
  });
}

export function refusal(file: SourceFile, target: string, reason: string): string {
  return `${file.path} imports ${target}: ${reason}.`;
}
