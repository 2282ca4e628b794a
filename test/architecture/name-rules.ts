// Names of files and folders.

import type { Rule } from './source.ts';

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

// The empty part is the text before the dot of a hidden folder.
function isKebab(part: string): boolean {
  return part === '' || kebab.test(part);
}
