// `node scripts/build-server.ts FOLDER`: bundles the server into a few JavaScript files, which load
// faster and take less memory than the sources. scripts/setup/server.js runs it.
//
// Code that names a file of the product writes `new URL('…', import.meta.url)` with the path as a
// literal. The build finds these places: a .ts file becomes an entry of its own, another file or
// folder of src is copied beside the code, and a file outside src stays where it is.
//
// `node scripts/build-server.ts FOLDER side-car` adds the side-car of pods, for the image: one file, which starts
// faster than several.

import { cp } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { build, type BuildOptions, type Plugin, type Rolldown } from 'vite';

const root = join(import.meta.dirname, '..');
const src = join(root, 'src') + sep;

/** The programs that are started by file name; the build finds those that the code names itself. */
const entries = { main: join(src, 'server/main.ts') };

// Packages that are not bundled: one contains machine code, the others are optional parts of
// packages that work without them.
const external = ['better-sqlite3', 'pg-native', 'bufferutil', 'utf-8-validate'];

// Parts of Fastify that the server does not use: the schema compilers, which http/server.ts replaces, the
// requests of tests, and the search for files that each get a route.
const absent = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
  'glob',
];

// A build lies two folders below the root, in a checkout as in an image.
const place = join(root, 'dist/server/build');

// V8 keeps the text of all loaded files in memory.
const comments = { legal: true, annotation: false, jsdoc: false } as const;

const namedFile = /new URL\('([^']+)', import\.meta\.url\)/g;

/** `licences` names a file for the licences of all packages that become part of the build. */
export const buildServer = (outDir: string, licences?: string): Promise<void> =>
  bundle(outDir, {
    emptyOutDir: true,
    license: licences === undefined ? false : { fileName: licences },
    rolldownOptions: {
      input: entries,
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', comments },
    },
  });

/** A script, since only of scripts V8 gives what it has compiled: scripts/image/side-car.cjs. */
const buildSideCar = (outDir: string): Promise<void> =>
  bundle(outDir, {
    emptyOutDir: false,
    rolldownOptions: {
      input: { 'side-car': join(src, 'runner/side-car/main.ts') },
      output: { format: 'cjs', codeSplitting: false, entryFileNames: '[name].cjs', comments },
    },
  });

async function bundle(outDir: string, options: BuildOptions): Promise<void> {
  const copied = new Map<string, string>();
  await build({
    root,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [withoutAbsent, namedFiles(outDir, copied, options.emptyOutDir === true)],
    ssr: { noExternal: true, external },
    build: { ssr: true, outDir, target: 'node24', minify: false, ...options },
  });
  await Promise.all([...copied].map(([from, to]) => cp(from, to, { recursive: true })));
}

/** `isFirst`: the entries of later bundles in the same folder are there already. */
function namedFiles(outDir: string, copied: Map<string, string>, isFirst: boolean): Plugin {
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

  /** Where the built code finds a file, relative to the folder of the build. */
  function placeOf(path: string, context: Rolldown.PluginContext): string {
    if (!path.startsWith(src)) return relative(place, path);
    const name = relative(src, path);
    if (path.endsWith('.ts')) {
      const fileName = name.replaceAll(sep, '-').replace(/\.ts$/, '.js');
      if (isFirst) context.emitFile({ type: 'chunk', id: path, fileName });
      return `./${fileName}`;
    }
    copied.set(path, join(outDir, 'files', name));
    return `./files/${name}`;
  }
}

/** Replaces packages that the server never calls with empty modules. */
const withoutAbsent: Plugin = {
  name: 'without-absent',
  enforce: 'pre',
  resolveId: (id) => (absent.includes(id) ? `\0absent:${id}` : null),
  load: (id) => (id.startsWith('\0absent:') ? 'export {};' : null),
};

if (import.meta.main) {
  const [folder, addition] = process.argv.slice(2);
  if (folder === undefined) throw new Error(`${basename(import.meta.filename)} needs a folder`);
  await buildServer(resolve(folder));
  if (addition === 'side-car') await buildSideCar(resolve(folder));
}
