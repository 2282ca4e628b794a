import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';

import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { contract, isWhole } from './scripts/contract.ts';
import { guide } from './scripts/guide/plugin.ts';
import { wordModules } from './scripts/words.ts';

const outDir = join(import.meta.dirname, 'dist/web');

/** Writes each text file compressed beside itself, so that the server need not do it again. */
function compressed(): Plugin {
  let folder = outDir;
  return {
    name: 'compressed',
    apply: 'build',
    configResolved({ build }) {
      folder = build.outDir;
    },
    async closeBundle() {
      const names = await readdir(folder, { recursive: true });
      // The page itself is different for each answer.
      const texts = names.filter((name) => /\.(?:js|css|svg)$/.test(name));
      await Promise.all(texts.map((name) => compress(join(folder, name))));
    },
  };
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  await Promise.all([
    writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 })),
    writeFile(`${path}.br`, await promisify(brotliCompress)(content)),
  ]);
}

/**
 * Moves Vite's list of all chunks beside the folder, where the server sends nothing from:
 * scripts/console-size.ts reads it.
 */
function manifestBeside(): Plugin {
  let folder = outDir;
  return {
    name: 'manifest-beside',
    apply: 'build',
    configResolved({ build }) {
      folder = build.outDir;
    },
    writeBundle: {
      // Vite writes the list in this hook too.
      order: 'post',
      sequential: true,
      async handler() {
        await rename(join(folder, '.vite/manifest.json'), `${folder}.manifest.json`);
        await rmdir(join(folder, '.vite'));
      },
    },
  };
}

/**
 * Begins each style sheet with the order of the layers. A browser takes the order from the sheet
 * that it reads first, and the build moves sheets.
 */
function layersInOrder(): Plugin {
  const path = join(import.meta.dirname, 'src/web/styles/layers.css');
  return {
    name: 'layers-in-order',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const statement = /@layer [^;{]*;/.exec(await readFile(path, 'utf8'))?.[0];
      if (statement === undefined) throw new Error(`${path} does not say the order of the layers.`);
      for (const file of Object.values(bundle)) {
        if (file.type === 'asset' && file.fileName.endsWith('.css')) {
          file.source = statement + String(file.source);
        }
      }
    },
  };
}

/** The files of the frame around the screens that the page does not load by itself. */
function frameFiles(html: string, bundle: Rolldown.OutputBundle): string {
  const path = join(import.meta.dirname, 'src/web/app/routes/frame.ts');
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const frame = chunks.find(({ facadeModuleId }) => facadeModuleId === path);
  if (!frame) throw new Error(`${path} has no file of its own.`);
  const names = [frame.fileName, ...frame.imports];
  const styles = chunks
    .filter(({ fileName }) => names.includes(fileName))
    .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
  const later = [...names, ...styles].filter((file) => !html.includes(file));
  return later.map((file) => `/${file}`).join(' ');
}

/**
 * Adds the script that runs before the first paint, which a module cannot. Its name in the build contains a
 * hash, so that browsers keep it. It is told the files of the frame and loads them beside the first script
 * where somebody is signed in, who sees the first screen a round trip sooner.
 */
function themeFirst(): Plugin {
  const path = join(import.meta.dirname, 'src/web/theme.js');
  let [source, src] = ['', '/theme.js'];
  return {
    name: 'theme-first',
    async configResolved({ command }) {
      if (command !== 'build') return;
      source = await readFile(path, 'utf8');
      src = `/assets/theme-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`;
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: src.slice(1), source });
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { filename, bundle }) {
        if (!filename.endsWith('index.html')) return [];
        const attrs = { src, ...(bundle && { 'data-frame': frameFiles(html, bundle) }) };
        return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}

// Of the kit, what nearly every screen draws with; everything else of it comes with its use.
const kit =
  /@mantine[\\/](?:hooks|core[\\/](?:esm[\\/]core|(?:esm[\\/]components|styles)[\\/](?:ActionIcon|Alert|Button|CloseButton|InlineInput|Input|InputBase|Loader|PasswordInput|Switch|TextInput|UnstyledButton)))[\\/.]/;

/** The modules of a chunking step, by id. */
type Modules = Parameters<Rolldown.CodeSplittingNameFunction>[1];

/** Our modules that those at `paths` load at once, themselves included; found once for a build. */
function reachedFrom(paths: string[]): (id: string, modules: Modules) => boolean {
  let reached: Set<string> | undefined;
  const collect = (id: string, modules: Modules, found: Set<string>): Set<string> => {
    if (found.has(id) || id.includes('node_modules') || isWhole(id)) return found;
    found.add(id);
    for (const next of modules.getModuleInfo(id)?.importedIds ?? []) collect(next, modules, found);
    return found;
  };
  return (id, modules) => {
    reached ??= paths
      .map((path) => join(import.meta.dirname, 'src/web', path))
      .reduce((found, path) => collect(path, modules, found), new Set<string>());
    return reached.has(id);
  };
}

const ofSignIn = reachedFrom(['lib/jitless.ts', 'app/mount.tsx', 'app/session/sign-in.tsx']);

// Without what only one view uses: lists that are read page by page as they are scrolled.
const libraries =
  /rolldown[\\/]runtime|node_modules[\\/](?:react|react-dom|scheduler|@tanstack|i18next)[\\/](?!.*nfiniteQuery(?:Observer|Options)?\.)/;

// Without the brands: the sign-in page loads only those of its providers.
const icons = /node_modules[\\/]@tabler[\\/](?!.*IconBrand)/;

const inStart: Rolldown.CodeSplittingNameFunction = (id, modules) =>
  kit.test(id) || icons.test(id) || ofSignIn(id, modules) ? 'start' : null;

const ofFrame = reachedFrom(['app/routes/frame.ts']);

const screen = /src[\\/]web[\\/]app[\\/](?:project|session|system)[\\/]/;

/** The modules that three or more of the parts need which are loaded on demand, one of them a screen. */
function sharedByScreens(modules: Modules): Set<string> {
  const loadedWith = (id: string, found = new Set<string>()): Set<string> => {
    if (found.has(id) || id.includes('node_modules') || isWhole(id)) return found;
    found.add(id);
    for (const next of modules.getModuleInfo(id)?.importedIds ?? []) loadedWith(next, found);
    return found;
  };
  const shares = new Map<string, number>();
  const onScreens = new Set<string>();
  const parts = new Set([join(import.meta.dirname, 'src/web/main.tsx')]);
  for (const part of parts) {
    for (const id of loadedWith(part)) {
      shares.set(id, (shares.get(id) ?? 0) + 1);
      if (screen.test(part)) onScreens.add(id);
      for (const later of modules.getModuleInfo(id)?.dynamicallyImportedIds ?? []) parts.add(later);
    }
  }
  return new Set([...onScreens].filter((id) => (shares.get(id) ?? 0) >= 3));
}

let shared: Set<string> | undefined;

// Small parts of the first screen that one other screen shows too: each would be a request more.
const ofTwoScreens =
  /(?:features[\\/](?:tasks[\\/].*task-table|templates[\\/](?:.*template-values|list-links|board[\\/].*)|workflows[\\/](?:list[\\/]workflow-cells|launch-button|run-link|run-status|use-delete-workflow))|ui[\\/]buttons[\\/]row-menu|app[\\/]project[\\/](?:new-resource|object-access-button))\./;

const formParts =
  /src[\\/]web[\\/](?:ui[\\/](?:dialogs[\\/]dialog|forms[\\/](?:select|tags-field|launch-fields)|lists[\\/]sortable-list|buttons[\\/]opened-menu|feedback[\\/]tooltip-box)|features[\\/]tasks[\\/]launch[\\/]survey-fields)\./;

/** Whether a module is a part of forms, or loads one at once. */
function usesForms(id: string, modules: Modules): boolean {
  if (id.includes('node_modules') || isWhole(id)) return false;
  if (formParts.test(id)) return true;
  return (modules.getModuleInfo(id)?.importedIds ?? []).some((next) => usesForms(next, modules));
}

const ofLists = /@mantine[\\/]core[\\/](?:esm[\\/]components|styles)[\\/]Checkbox[\\/.]/;

/** With the frame, which is around every screen, comes what screens share. */
const inFrame: Rolldown.CodeSplittingNameFunction = (id, modules) => {
  shared ??= sharedByScreens(modules);
  const isFrame = ofFrame(id, modules) || ofTwoScreens.test(id) || ofLists.test(id);
  return isFrame || (shared.has(id) && !usesForms(id, modules)) ? 'frame' : null;
};

// Dragging is for few of them.
const dragging = /node_modules[\\/]@dnd-kit[\\/]|sortable-list\./;

/** What opens over the page and what forms share comes with the first form, menu or tip. */
const inForms: Rolldown.CodeSplittingNameFunction = (id, modules) =>
  shared?.has(id) && !dragging.test(id) && usesForms(id, modules) ? 'forms' : null;

/** What the forms need to check their values: loaded with the first of them. */
const schemas: Rolldown.CodeSplittingGroup = {
  name: 'schemas',
  test: (id) =>
    isWhole(id) ||
    /node_modules[\\/]zod[\\/]|src[\\/]shared[\\/](?:compatible[\\/]|git[\\/]host-config)/.test(id),
  // The rest of what they import is what screens need too.
  includeDependenciesRecursively: false,
};

/** Codes that both schemas and screens read: a chunk that imports no other, so that it is evaluated first. */
const catalogues: Rolldown.CodeSplittingGroup = {
  name: 'catalogues',
  test: /src[\\/]shared[\\/]catalogue[\\/](?:catalogue|alert-errors|confirmation-reasons|field-errors|restore-notes|task-failures)\./,
};

export default defineConfig({
  root: 'src/web',
  plugins: [
    react(),
    wordModules(),
    contract(),
    guide(),
    themeFirst(),
    layersInOrder(),
    compressed(),
    manifestBeside(),
  ],
  build: {
    outDir,
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // The content security policy allows no data: fonts or scripts.
    assetsInlineLimit: 0,
    // Every browser that runs this target knows it.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'api-docs.html'].map((name) =>
        join(import.meta.dirname, 'src/web', name),
      ),
      output: {
        // A screen that needs few files is drawn sooner, and they compress better.
        codeSplitting: {
          groups: [
            catalogues,
            schemas,
            { name: 'base', test: libraries },
            { name: inStart },
            { name: 'dragging', test: dragging, includeDependenciesRecursively: false },
            { name: inFrame },
            { name: inForms },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: {
      // The server compares Origin with Host, so the browser's Host must reach it.
      '/api': { target: 'http://127.0.0.1:3000', ws: true, changeOrigin: false },
    },
  },
});
