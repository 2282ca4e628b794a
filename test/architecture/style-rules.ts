// Whether the classes of the console's style sheets and those that its components name are the same.

import { type Rule, type SourceFile, product } from './source.ts';

const utilities = 'src/web/styles/utilities.css';

/** The classes in the selectors of a style sheet, without those of libraries. */
function classesOf({ code }: SourceFile): string[] {
  const selectors = code.replaceAll(/\{[^{}]*\}/g, ' ').replaceAll(/:global\([^)]*\)/g, '');
  return [...new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name))];
}

/** The names by which a file reads a style sheet; null if it computes one, which may be any. */
function namesIn({ path, code, imports }: SourceFile, sheet: string): string[] | null {
  if (!imports.some(({ target }) => target === sheet)) return [];
  const local = code
    .split('\n')
    .map((line) => /^import (\w+) from '.*\/([^/]+)';$/.exec(line))
    .find((line) => line?.[2] === sheet.split('/').at(-1))?.[1];
  if (local === undefined) throw new Error(`${path} imports ${sheet} in another way.`);
  const uses = code.matchAll(new RegExp(`\\b${local}(?:\\.(\\w+)|\\['([^']+)'\\]|\\[)`, 'g'));
  const names = [...uses].map(([, plain, quoted]) => plain ?? quoted);
  return names.includes(undefined) ? null : names.filter((name) => name !== undefined);
}

export const styleClassesAreUsed: Rule = (files) =>
  product(files)
    .filter(({ path }) => path.endsWith('.module.css'))
    .flatMap((sheet) => {
      const users = product(files).map((file) => ({ file, names: namesIn(file, sheet.path) }));
      const classes = classesOf(sheet);
      const isOpen = users.some(({ names }) => names === null);
      const used = new Set(users.flatMap(({ names }) => names ?? []));
      return [
        ...classes
          .filter((name) => !isOpen && !used.has(name))
          .map((name) => `${sheet.path}: no component has the class ${name}; delete it.`),
        ...users.flatMap(({ file, names }) =>
          (names ?? [])
            .filter((name) => !classes.includes(name))
            .map((name) => `${file.path}: ${sheet.path} has no class ${name}.`),
        ),
      ];
    });

export const styleSheetsExist: Rule = (files) => {
  const paths = new Set(files.map(({ path }) => path));
  return product(files).flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target.endsWith('.module.css') && !paths.has(target))
      .map(({ target }) => `${path}: there is no ${target}.`),
  );
};

export const utilityClassesAreUsed: Rule = (files) => {
  const sheet = files.find(({ path }) => path === utilities);
  const classes = sheet ? classesOf(sheet) : [];
  const console = product(files).filter(({ path }) => path.startsWith('src/web/'));
  const words = new Set(
    console.filter(({ path }) => path !== utilities).flatMap(({ code }) => code.split(/["'`\s;]+/)),
  );
  // The words before a "${", as of `tone-${tone}`.
  const prefixes = [...words]
    .map((word) => /^[a-z]+-(?=\$\{)/.exec(word)?.[0])
    .filter((word) => word !== undefined);
  const composed = console.flatMap(({ path, code }) =>
    [...code.matchAll(/composes: ([^;]*) from global/g)].flatMap(([, names = '']) =>
      names.split(' ').map((name) => ({ path, name })),
    ),
  );
  return [
    ...classes
      .filter((name) => !words.has(name) && !prefixes.some((prefix) => name.startsWith(prefix)))
      .map((name) => `${utilities}: nothing has the class ${name}; delete it.`),
    ...composed
      .filter(({ name }) => !classes.includes(name))
      .map(({ path, name }) => `${path}: ${utilities} has no class ${name}.`),
  ];
};
