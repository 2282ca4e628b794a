// Runs the server and its commands, from the build if it was made from the present sources,
// otherwise from the sources. This file is plain JavaScript, because an older Node may execute it.

import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findBuiltServer } from './built-server.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const needed = '24.12';

/** @param {string} text */
function refuse(text) {
  console.error(`signalbox: ${text}`);
  process.exit(1);
}

if (!(major > 24 || (major === 24 && minor >= 12))) {
  refuse(
    `Node ${needed} or newer is needed; this is ${process.versions.node}.\n${
      existsSync(`${root}src`)
        ? 'Start "bin/signalbox" instead, which uses the Node of the packages, or see https://nodejs.org.'
        : 'Install it from https://nodejs.org. On Linux for x64 and arm64 the package of npm brings it along, unless npm leaves out optional packages.'
    }`,
  );
}

const built = findBuiltServer(root);
if (built === null && !existsSync(`${root}node_modules/zod`)) {
  refuse('the packages are not installed. Run "npm start" once in the checkout, then try again.');
}
const [command = 'server'] = process.argv.slice(2);
if (built === null && command === 'server') {
  console.error(
    'signalbox: starting from the sources, because they have not been built. ' +
      'After "npm run build" the server starts faster and takes less memory.',
  );
}

const main = built ?? `${root}src/server/main.ts`;
process.argv[1] = main;
await import(pathToFileURL(main).href);
