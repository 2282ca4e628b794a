#!/usr/bin/env node
// The command `signalbox`: finds a Node that can run the server, then runs it with the
// same arguments. Plain JavaScript, because it may be started by an older Node.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';

const inCheckout = (/** @type {string} */ path) =>
  fileURLToPath(new URL(`../${path}`, import.meta.url));
const main = inCheckout('src/server/main.ts');
const packagedNode = inCheckout('node_modules/.bin/node');

function canRunTypeScript() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 12);
}

async function runHere() {
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
}

/** Runs the packaged Node and ends as it ends, by exit code or by signal. */
function runThere() {
  const child = spawn(packagedNode, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child as well; twice would mean "at once".
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    });
  }
  child.once('error', (error) => refuse(`Node could not be started: ${error.message}`));
  child.once('exit', (code, signal) => {
    process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1));
  });
}

/** @param {string} text */
function refuse(text) {
  console.error(`signalbox: ${text}`);
  process.exit(1);
}

if (!existsSync(inCheckout('node_modules/zod'))) {
  refuse('the packages are not installed. Run "npm start" once in the checkout, then try again.');
} else if (canRunTypeScript()) {
  await runHere();
} else if (existsSync(packagedNode)) {
  runThere();
} else {
  refuse(
    `Node 24.12 or newer is needed; this is ${process.versions.node}. See https://nodejs.org.`,
  );
}
