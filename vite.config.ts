import { readdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { startWords } from './scripts/start-words.ts';

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

// What nearly every screen draws with; everything else of the kit comes with its use.
const kit =
  /@mantine[\\/](?:hooks|core[\\/](?:esm[\\/]core|(?:esm[\\/]components|styles)[\\/](?:ActionIcon|Alert|Button|CloseButton|InlineInput|Input|InputBase|Loader|PasswordInput|Switch|TextInput|UnstyledButton)))[\\/.]/;

export default defineConfig({
  root: 'src/web',
  plugins: [react(), startWords(), layersInOrder(), compressed(), manifestBeside()],
  build: {
    outDir,
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // The content security policy allows no data: fonts or scripts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'api-docs.html'].map((name) =>
        join(import.meta.dirname, 'src/web', name),
      ),
      output: {
        // What every screen needs is one file: it compresses better than thirty small ones.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules[\\/](?:react|react-dom|scheduler|@tanstack|zod|i18next)[\\/]/,
            },
            // Of the contract, what the sign-in page needs; then all the rest.
            {
              name: 'start',
              test: /src[\\/]shared[\\/](?:alerts|deliveries|errors|events|field-\w+|restore-notes|task-status|api[\\/]session)\.ts/,
            },
            { name: 'contract', test: /src[\\/]shared[\\/]/ },
            // Without the brands, which the sign-in page loads only for its providers.
            { name: 'icons', test: /node_modules[\\/]@tabler[\\/](?!.*IconBrand)/ },
            { name: 'kit', test: kit },
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
