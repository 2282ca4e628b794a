// A Vite plugin that puts the guide into the console: `virtual:guide` is its table of contents with a function that
// loads each page, and `virtual:guide-texts` is the text of all pages, for the search.

import { join } from 'node:path';
import type { Plugin } from 'vite';
import { guideFolder, readContents, readPage } from './pages.ts';

const contents = 'virtual:guide';
const texts = 'virtual:guide-texts';
const onePage = 'virtual:guide/';

const isOurs = (id: string): boolean => id === contents || id === texts || id.startsWith(onePage);

export function guide(): Plugin {
  return {
    name: 'guide',
    resolveId: (id) => (isOurs(id) ? `\0${id}` : null),
    load(id) {
      const name = id.slice(1);
      if (!id.startsWith('\0') || !isOurs(name)) return null;
      this.addWatchFile(join(guideFolder, name === contents ? 'README.md' : ''));
      if (name === contents) return contentsModule();
      if (name === texts) return textsModule();
      return pageModule(name.slice(onePage.length));
    },
  };
}

const pageNames = (): string[] =>
  readContents().flatMap(({ pages }) => pages.map(({ page }) => page));

function contentsModule(): string {
  const loaders = pageNames().map((page) => `'${page}': () => import('${onePage}${page}')`);
  return `export const sections = ${JSON.stringify(readContents())};
export const loaders = { ${loaders.join(',\n')} };`;
}

const textsModule = (): string =>
  `export default ${JSON.stringify(
    pageNames().flatMap((page) => {
      const { title, texts: found } = readPage(page);
      return found.map((text) => ({ page, title, ...text }));
    }),
  )};`;

/** A page whose pictures are files of the build. */
function pageModule(page: string): string {
  // The search has the texts of all pages in a module of its own.
  const { texts: _texts, ...shown } = readPage(page);
  const whole = JSON.stringify(shown);
  const names = [
    ...new Set([...whole.matchAll(/\{\{image:([\w.-]+)\}\}/g)].map(([, name = '']) => name)),
  ];
  const imports = names.map((name, index) => {
    const path = join(guideFolder, '../images', name);
    return `import image${index} from ${JSON.stringify(`${path}?url`)};`;
  });
  const filled = names.reduce(
    (text, name, index) => text.replaceAll(`{{image:${name}}}`, `" + image${index} + "`),
    whole,
  );
  return `${imports.join('\n')}\nexport default ${filled};`;
}
