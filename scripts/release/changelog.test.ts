import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultsOf, releaseOf, sectionsOf } from './changelog.ts';

const head = '# Changelog\n\nFor people.\n\n';

test('the changelog of the product has the form of keepachangelog.com', () => {
  expect(faultsOf(readFileSync('CHANGELOG.md', 'utf8'))).toEqual([]);
});

test('the version of the product has a section, or is not released yet', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const names = sectionsOf(readFileSync('CHANGELOG.md', 'utf8')).map(({ name }) => name);
  expect(names[0]).toBe('Unreleased');
  // It is the newest version that has a section, or it has none.
  expect(names.slice(1).indexOf(version)).toBeLessThanOrEqual(0);
});

test('finds what a version has brought', () => {
  const text = `${head}## [Unreleased]\n\n## [1.0.0] - 2026-02-01\n\n### Added\n\n- One\n`;
  expect(releaseOf(text, '1.0.0')).toEqual({
    name: '1.0.0',
    date: '2026-02-01',
    text: '### Added\n\n- One',
  });
  expect(releaseOf(text, '1.0.1')).toBeNull();
  expect(releaseOf(`${head}## [1.0.0]\n`, '1.0.0')).toBeNull();
});

const unreleased = '## [Unreleased]\n\n';
const listed = '\n\n### Fixed\n\n- One\n  of two lines\n- Two\n\n';

test.each([
  ['nothing else', `${unreleased}### Added\n\n- One\n`, []],
  ['two versions', `${unreleased}## [1.10.0] - 2026-02-01${listed}## [1.9.0] - 2026-01-01`, []],
  ['no section for what comes', `## [1.0.0] - 2026-01-01${listed}`, ['first section']],
  ['a version without brackets', `${unreleased}## 1.0.0${listed}`, ['no version in brackets']],
  ['a version without a date', `${unreleased}## [1.0.0]${listed}`, ['no date']],
  ['a day that does not exist', `${unreleased}## [1.0.0] - 2026-13-01${listed}`, ['no date']],
  [
    'versions in the wrong order',
    `${unreleased}## [1.9.0] - 2026-02-01${listed}## [1.10.0] - 2026-01-01`,
    ['1.9.0 stands before 1.10.0'],
  ],
  ['an unknown heading', `${unreleased}### Notes\n\n- One\n`, ['a heading is none of']],
  [
    'headings in another order',
    `${unreleased}### Fixed\n\n- One\n\n### Added\n\n- Two\n`,
    ['the order of headings'],
  ],
  ['a heading without lines', `${unreleased}### Fixed\n`, ['a heading has no lines']],
  ['other text', `${unreleased}Hello\n`, ['neither a heading nor a list']],
])('a changelog with %s', (_title, text, faults) => {
  expect(faultsOf(head + text)).toEqual(faults.map((words) => expect.stringContaining(words)));
});
