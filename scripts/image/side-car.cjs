#!/usr/bin/env -S node --max-semi-space-size=8 --heap-growing-percent=40
// The command `signalbox-side-car` of the image. A task in a pod waits for its start, so Node gets what V8 has compiled
// when the image was made: `signalbox-side-car compile FOLDER`. Node's own cache of compiled code is that of one user.

const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const [, , command, folder = '/opt/signalbox/dist/server/image'] = process.argv;
const filename = join(folder, 'side-car.cjs');
const compiled = join(folder, 'side-car.compiled');
const isMaking = command === 'compile';

const code = `(function (exports, require, __filename) {${readFileSync(filename, 'utf8')}\n})`;
const script = new Script(code, {
  filename,
  cachedData: isMaking ? undefined : readFileSync(compiled),
});
/** @type {{ runSideCar: (path: string | undefined) => Promise<number> }} */
// @ts-expect-error: the script fills it.
const sideCar = {};
script.runInThisContext()(sideCar, createRequire(filename), filename);

if (isMaking) {
  // Functions that were called are in it too.
  writeFileSync(compiled, script.createCachedData());
} else {
  void sideCar.runSideCar(process.env.PATH).then((exitCode) => (process.exitCode = exitCode));
}
