// `npm run release`: makes the artefacts of a version in dist/release, from a clean checkout whose
// CHANGELOG.md has a section with the version and its date. With `-- --allow-dirty` it makes them
// of any checkout, for trying. `--to FOLDER` and `--architecture x64` choose another folder, which
// is emptied, and less.

import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readCheckout, reasonsAgainst } from './release/checkout.ts';
import { makeRelease, type Artefact } from './release/make-release.ts';
import { architectures } from './release/program.ts';

const { values } = parseArgs({
  options: {
    'allow-dirty': { type: 'boolean', default: false },
    to: { type: 'string', default: 'dist/release' },
    architecture: { type: 'string', multiple: true, default: [...architectures] },
  },
});
const checkout = readCheckout(join(import.meta.dirname, '..'));
const wanted = architectures.filter((name) => values.architecture.includes(name));

function line({ file, bytes, seconds }: Artefact): string {
  const size = `${(bytes / 1e6).toFixed(1)} MB`.padStart(9);
  return `${size} ${`${seconds.toFixed(1)} s`.padStart(8)}  ${relative(process.cwd(), file)}`;
}

const reasons = values['allow-dirty'] ? [] : reasonsAgainst(checkout);
if (reasons.length > 0) {
  console.error([...reasons, 'To try it anyway: npm run release -- --allow-dirty'].join('\n'));
  process.exitCode = 1;
} else {
  const to = resolve(values.to);
  const made = (artefact: Artefact): void => console.log(line(artefact));
  const { leftOut } = await makeRelease({ checkout, to, made }, wanted);
  for (const what of leftOut) console.log(`Left out: ${what}`);
}
