// Refuses regular expressions that can be slow, because one text of a user would then block the server.
// See docs/decisions/0022-linear-patterns.md.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findPatterns } from './patterns/find.ts';
import { judge } from './patterns/judge.ts';

const root = join(import.meta.dirname, '..');

/** These files make a pattern of a text that they escape. */
const mayMake = ['src/shared/terminal.ts', 'src/runner/log/mask.ts'];

const paths = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('src', name))
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  .sort();

const verdicts = new Map<string, string | null>();
const wrong: string[] = [];

for (const path of paths) {
  const { patterns, made } = findPatterns(path, readFileSync(join(root, path), 'utf8'));
  if (!mayMake.includes(path)) {
    wrong.push(...made.map((line) => `${path}:${line} makes a pattern of what is not constant.`));
  }
  for (const { source, flags, line } of patterns) {
    const shown = `/${source}/${flags}`;
    const verdict = verdicts.get(shown) ?? judge({ source, flags });
    verdicts.set(shown, verdict);
    if (verdict) wrong.push(`${path}:${line} ${shown} can take long (${verdict}).`);
  }
}

if (wrong.length > 0) {
  console.log(`${wrong.join('\n')}\nUse code that looks at each character once.`);
  process.exitCode = 1;
}
