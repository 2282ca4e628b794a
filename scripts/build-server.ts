// `node scripts/build-server.ts FOLDER`: puts the server into a few JavaScript files, which load
// faster and take less memory than the sources. scripts/setup/server.js runs it.
//
// Code that names a file of the product says `new URL('…', import.meta.url)` with the path as a
// plain text. The build finds these places: a .ts file becomes an entry of its own, another file
// or folder of src is copied beside the code, and what lies outside of src stays where it is.

import { cp } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const root = join(import.meta.dirname, '..');
const src = join(root, 'src') + sep;

/** The programs that are started by their file; those that the code itself names come by themselves. */
const entries = { main: join(src, 'server/main.ts') };

// Packages that stay outside: one holds machine code, the others are optional parts of packages
// that go on without them.
const external = ['better-sqlite3', 'pg-native', 'bufferutil', 'utf-8-validate'];

// A build lies two folders below the root, in a checkout as in an image.
const place = join(root, 'dist/server/build');

const namedFile = /new URL\('([^']+)', import\.meta\.url\)/g;

export async function buildServer(outDir: string): Promise<void> {
  const copied = new Map<string, string>();
  await build({
    root,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [namedFiles(outDir, copied), asciiOnly],
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: entries,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  await Promise.all([...copied].map(([from, to]) => cp(from, to, { recursive: true })));
}

function namedFiles(outDir: string, copied: Map<string, string>): Plugin {
  return {
    name: 'named-files',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(src) || !code.includes('import.meta')) return null;
      const replaced = code.replace(namedFile, (_whole, path: string) => {
        return `new URL('${placeOf(resolve(dirname(id), path), this)}', import.meta.url)`;
      });
      const others = replaced.replaceAll(namedFile, '').includes('import.meta');
      if (others)
        this.error(`${relative(root, id)} uses import.meta in a way the build cannot follow`);
      return { code: replaced, map: null };
    },
  };

  /** Where the built code finds a file, seen from the folder of the build. */
  function placeOf(path: string, context: Rolldown.PluginContext): string {
    if (!path.startsWith(src)) return relative(place, path);
    const name = relative(src, path);
    if (path.endsWith('.ts')) {
      const fileName = name.replaceAll(sep, '-').replace(/\.ts$/, '.js');
      context.emitFile({ type: 'chunk', id: path, fileName });
      return `./${fileName}`;
    }
    copied.set(path, join(outDir, 'files', name));
    return `./files/${name}`;
  }
}

/** With one other sign V8 would keep the whole text of a file in two bytes a sign. */
const asciiOnly: Plugin = {
  name: 'ascii-only',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === 'chunk') chunk.code = chunk.code.replaceAll(/[^\0-\x7f]/g, escaped);
    }
  },
};

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error(`${basename(import.meta.filename)} needs a folder`);
  await buildServer(resolve(folder));
}
