// Builds the server again when a source has changed. The build is optional: without it the server
// runs from its sources, takes longer to start and needs more memory.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildFolder, buildsFolder, isDraft } from '../../bin/built-server.js';
import { Stop, nodeOf, run } from './run.js';

// Servers that still run from an earlier build load some of its files later.
const keptBuilds = 3;

/**
 * @param {string} root
 * @returns {import('./set-up.js').Step}
 */
export function serverStep(root) {
  return {
    hasWork: () => !existsSync(buildFolder(root)),
    async work() {
      // The folder is named before the build: a file that is saved during the build belongs to the
      // next one.
      const folder = buildFolder(root);
      const draft = join(buildsFolder(root), `.${process.pid}-${basename(folder)}`);
      mkdirSync(buildsFolder(root), { recursive: true });
      const result = await run(
        'building the server',
        nodeOf(root),
        [join(root, 'scripts', 'build-server.ts'), draft],
        { cwd: root },
      );
      if (!result.succeeded) {
        rmSync(draft, { recursive: true, force: true });
        throw new Stop(
          `The server could not be built. The build printed:\n${result.output}\n\n` +
            'What to do: correct what it names and run the same command again. In an unchanged\n' +
            'checkout, delete the folder node_modules first.',
        );
      }
      // A rename makes the build complete or absent, whenever this process is killed.
      renameSync(draft, folder);
      removeOldBuilds(root, basename(folder));
    },
  };
}

/**
 * Removes unfinished builds, and all but the newest of the finished ones.
 * @param {string} root
 * @param {string} newest
 */
export function removeOldBuilds(root, newest) {
  const folder = buildsFolder(root);
  const age = (/** @type {string} */ name) => statSync(join(folder, name)).mtimeMs;
  const others = readdirSync(folder).filter((name) => name !== newest);
  const drafts = others.filter(isDraft);
  const old = others
    .filter((name) => !isDraft(name))
    .sort((a, b) => age(b) - age(a))
    .slice(keptBuilds - 1);
  for (const name of [...drafts, ...old]) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}
