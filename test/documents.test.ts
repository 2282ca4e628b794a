// Documents use plain words, and name files, links and npm scripts that exist.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { picturesIn } from './architecture/word-rules.ts';

const documents = ['*.md', 'docs/*.md', 'docs/guide/*.md', 'test/**/*.md', '.github/*.md'];
const scripts = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }).scripts;

// The example "Add a resource" in CONTRIBUTING.md.
const isExample = (path: string): boolean => /\blabels\b/.test(path);

/** The paths that a text contains as code, relative to the root of the checkout. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|scripts|docs|bin|deploy|\.ci)\/[\w./-]*)/g)].map(
    ([, path = '']) => path.replace(/\.$/, ''),
  );

const sources = globSync('{src,test,scripts}/**/*.{ts,tsx,sh}').map((path) => `/${path}`);

/** Source files by the end of their path: `http/serve.ts`, or `serve.ts` in the tree of folders. */
const sourcesIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w*./-])[\w-][\w./-]*\.(?:tsx?|sh)\b/g)].map(([path]) => path);

const linksIn = (text: string): string[] =>
  [...text.matchAll(/\]\(([\w./-]+)(?:#[\w-]*)?\)/g)].map(([, path = '']) => path);

/** The links to a section, such as `keys.md#types`, or `#types` of the same document. */
const sectionLinksIn = (text: string): { path: string; section: string }[] =>
  [...text.matchAll(/\]\(([\w./-]*)#([\w-]+)\)/g)].map(([, path = '', section = '']) => ({
    path,
    section,
  }));

/** The names by which links reach the headings of a document. */
const sectionsIn = (text: string): string[] =>
  [...text.replaceAll(/^ *```.*?^ *```/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  );

const commandsIn = (text: string): string[] =>
  [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name);

describe.each(globSync(documents).filter((path) => path !== 'CHANGELOG.md'))('%s', (document) => {
  const text = readFileSync(document, 'utf8');

  test('names files and folders that exist', () => {
    const missing = pathsIn(text).filter((path) => !isExample(path) && !existsSync(path));
    expect(missing).toEqual([]);
  });

  test('names sources that exist', () => {
    const missing = sourcesIn(text).filter(
      (path) => !isExample(path) && !sources.some((source) => source.endsWith(`/${path}`)),
    );
    expect(missing).toEqual([]);
  });

  test('links to documents that exist', () => {
    const missing = linksIn(text).filter((path) => !existsSync(join(dirname(document), path)));
    expect(missing).toEqual([]);
  });

  test('links to sections that exist', () => {
    const missing = sectionLinksIn(text).filter(({ path, section }) => {
      const target = path === '' ? document : join(dirname(document), path);
      return !sectionsIn(readFileSync(target, 'utf8')).includes(section);
    });
    expect(missing).toEqual([]);
  });

  test('uses plain words instead of pictures', () => {
    expect(picturesIn(text)).toEqual([]);
  });

  test('names scripts of package.json', () => {
    expect(commandsIn(text).filter((name) => !(name in scripts))).toEqual([]);
  });
});

const pages = globSync('docs/guide/*.md')
  .map((path) => basename(path))
  .filter((name) => name !== 'README.md');

/** The pages that a table of contents lists, in its form: `- [Title](file.md): one sentence.` */
const pagesListed = (text: string): string[] =>
  [...text.matchAll(/^- \[[^\]]+\]\(([\w-]+\.md)\): [^.]+\.$/gm)].map(([, name = '']) => name);

describe('the table of contents of the guide', () => {
  const contents = readFileSync('docs/guide/README.md', 'utf8');

  test('has every page once, each in its own line with a sentence', () => {
    expect(pagesListed(contents).toSorted()).toEqual(pages.toSorted());
  });

  test('names each page by its title, or by the first words of it', () => {
    const titles = [...contents.matchAll(/^- \[([^\]]+)\]\(([\w-]+\.md)\)/gm)];
    const others = titles.filter(
      ([, title = '', name = '']) =>
        !readFileSync(`docs/guide/${name}`, 'utf8').startsWith(`# ${title}`),
    );
    expect(others.map(([line]) => line)).toEqual([]);
  });

  test('leads to pages that link to each other only: the console shows them too', () => {
    const outside = pages.flatMap((name) =>
      linksIn(readFileSync(`docs/guide/${name}`, 'utf8'))
        .filter((path) => !/^(?:http|\.\.\/images\/)/.test(path))
        .filter((path) => !pages.includes(path) && path !== 'README.md')
        .map((path) => `${name}: ${path}`),
    );
    expect(outside).toEqual([]);
  });

  test('is searched for lines of one form only', () => {
    expect(pagesListed('- [A](a.md): one.\n- [B](b.md)\n- [C](c.md): two. three.')).toEqual([
      'a.md',
    ]);
  });
});

// These describe the screens of the console; in them, only words of the console are bold.
const pagesOfScreens = (
  'first-project projects repositories inventories keys environments templates surveys ' +
  'build-and-deploy ansible terraform scripts apps troubleshooting moving-in workflows schedules integrations api'
).split(' ');

const words: unknown = JSON.parse(readFileSync('src/web/locales/en.json', 'utf8'));
const textsOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(textsOf)
    : [value as string];
const wordsOfConsole = textsOf(words);

const boldIn = (text: string): string[] =>
  [...text.replaceAll(/`[^`\n]*`/g, '').matchAll(/\*\*([^*\n]+)\*\*/g)].map(
    ([, bold = '']) => bold,
  );

test.each(pagesOfScreens)('%s.md names buttons and fields as the console does', (page) => {
  const bold = boldIn(readFileSync(`docs/guide/${page}.md`, 'utf8'));
  expect(bold.length).toBeGreaterThan(0);
  expect(bold.filter((word) => !wordsOfConsole.includes(word))).toEqual([]);
});

/** The texts in quotation marks, in pieces: `…` stands for anything. */
const quotedIn = (text: string): string[] =>
  [...text.replaceAll(/`[^`\n]*`/g, '').matchAll(/"([^"\n]+)"/g)].flatMap(([, quoted = '']) =>
    quoted
      .split('…')
      .map((piece) => piece.trim().replace(/\.$/, ''))
      .filter((piece) => piece !== ''),
  );

/** The words of the console and of the server, with sentences of several lines as one. */
const wordsOfProduct = globSync('src/{web/locales/en.json,{shared,runner,server}/**/*.ts}')
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n')
  .replaceAll(/' \+\s*'|',\s*'/g, (joint) => (joint.startsWith("' +") ? '' : ' '))
  .replaceAll(String.raw`\"`, '"');

test('the guide to troubles quotes the product as it speaks', () => {
  const quoted = quotedIn(readFileSync('docs/guide/troubleshooting.md', 'utf8'));
  expect(quoted.length).toBeGreaterThan(40);
  expect(quoted.filter((piece) => !wordsOfProduct.includes(piece))).toEqual([]);
  expect(quotedIn('It says "Waits … there." or `"x"`.')).toEqual(['Waits', 'there']);
});

test('the search finds paths, links and commands', () => {
  const text = 'See `src/no/file.ts`, [it](no/page.md#part) and `npm run nothing`.';
  expect(sectionLinksIn(text)).toEqual([{ path: 'no/page.md', section: 'part' }]);
  expect(sectionsIn('# Who may `do` it?\n```sh\n# a remark\n```\n')).toEqual(['who-may-do-it']);
  expect(boldIn('Press **Save**.')).toEqual(['Save']);
  expect([pathsIn(text), sourcesIn(text), linksIn(text), commandsIn(text)]).toEqual([
    ['src/no/file.ts'],
    ['src/no/file.ts'],
    ['no/page.md'],
    ['nothing'],
  ]);
});
