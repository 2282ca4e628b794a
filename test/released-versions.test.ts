// A released version has a recorded installation, from which every later version is upgraded in tests.

import { globSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Engine } from './helpers/engine.ts';
import { readRecorded, recordingNames } from './helpers/recorded/fixture.ts';

const bothEngines: Engine[] = ['sqlite', 'postgres'];

/** The names of the recordings of all released versions: those with a dated section in the changelog. */
const releasesIn = (changelog: string): string[] =>
  [...changelog.matchAll(/^## \[?(\d+\.\d+\.\d+[\w.-]*)\]? - (\d{4}-\d\d-\d\d)$/gm)].map(
    ([, version, date]) => `${version}-${date}`,
  );

test('every released version has a recording', () => {
  const missing = releasesIn(readFileSync('CHANGELOG.md', 'utf8')).filter(
    (name) => !recordingNames().includes(name),
  );
  expect(missing.map((name) => `npm run record:installation -- ${name}`)).toEqual([]);
});

test('a dated section of the changelog is a release, and "Unreleased" is none', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n## [1.2.0] - 2027-01-31\n\n## 1.1.0 - 2026-12-01\n';
  expect(releasesIn(changelog)).toEqual(['1.2.0-2027-01-31', '1.1.0-2026-12-01']);
});

test('a recording is of the version in its name, on both engines, and all are small', () => {
  for (const name of recordingNames()) {
    for (const engine of bothEngines) {
      const { version, engine: recorded } = readRecorded(name, engine);
      expect([name.startsWith(`${version}-`), recorded]).toEqual([true, engine]);
    }
  }
  const sizes = globSync('test/upgrade/*/*/*').map((path) => statSync(path).size);
  expect(sizes.length).toBeGreaterThan(5);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_500_000);
});
