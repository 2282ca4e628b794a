// Names of files and folders, and circles of imports.

import { type Rule, type SourceFile, product } from './source.ts';

const withoutMeaning = new Set([
  'utils',
  'common',
  'helpers',
  'services',
  'types',
  'interfaces',
  'models',
]);
const indexFiles = new Set(['src/shared/api/index.ts', 'src/server/db/migrations/index.ts']);
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export const noIndexFiles: Rule = (files) =>
  files
    .filter(({ path }) => /(^|\/)index\.(ts|tsx|js)$/.test(path) && !indexFiles.has(path))
    .map(({ path }) => `${path}: import the file itself; an index hides where a thing lives.`);

export const noFolderWithoutMeaning: Rule = (files) =>
  files.flatMap(({ path }) =>
    path
      .split('/')
      .slice(0, -1)
      .filter((folder) => withoutMeaning.has(folder) && !path.startsWith('test/helpers/'))
      .map((folder) => `${path}: "${folder}" says nothing; name the folder after what is in it.`),
  );

export const kebabCase: Rule = (files) =>
  files
    .filter(({ path }) => !path.split('/').every((part) => part.split('.').every(isKebab)))
    .map(({ path }) => `${path}: files and folders are named in kebab-case.`);

// An empty part stands before the dot of a hidden folder.
function isKebab(part: string): boolean {
  return part === '' || kebab.test(part);
}

/** Types are left out: they are gone when the program runs. */
export const noCircles: Rule = (files) => {
  const own = new Map(product(files).map((file) => [file.path, file]));
  const done = new Set<string>();
  const refusals: string[] = [];

  function visit(file: SourceFile, way: string[]): void {
    const start = way.indexOf(file.path);
    if (start >= 0) {
      const circle = [...way.slice(start), file.path].join(' → ');
      refusals.push(`${circle}: a circle; the noun that both talk about is missing.`);
      return;
    }
    if (done.has(file.path)) return;
    for (const { target, isTypeOnly } of file.imports) {
      const next = own.get(target);
      if (next && !isTypeOnly) visit(next, [...way, file.path]);
    }
    done.add(file.path);
  }

  for (const file of own.values()) visit(file, []);
  return refusals;
};
