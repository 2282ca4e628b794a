import { expect, test } from 'vitest';
import { filesWithin, isMissing } from './playbook-files.ts';

const files = {
  playbooks: ['site.yml', 'plays/db.yml'],
  others: ['README.md', 'shared/'],
  complete: true,
};

test.each([
  ['site.yml', false],
  ['./plays/db.yml', false],
  ['README.md', false],
  ['shared/any/thing.yml', false],
  ['shared', false],
  ['', false],
  ['plays/../site.yml', false],
  ['sites.yml', true],
  ['plays', true],
  ['sharedness/x.yml', true],
])('a branch with some files lacks "%s": %s', (path, missing) => {
  expect(isMissing(files, path)).toBe(missing);
  expect(isMissing({ ...files, complete: false }, path)).toBe(false);
});

test('a working folder has its own files, with paths that begin there', () => {
  for (const folder of ['plays', './plays/', ' plays ']) {
    expect(filesWithin(files, folder)).toEqual({
      playbooks: ['db.yml'],
      others: [],
      complete: true,
    });
  }
  for (const folder of ['', '.']) expect(filesWithin(files, folder)).toEqual(files);
  expect(isMissing(filesWithin(files, 'plays'), 'db.yml')).toBe(false);
  expect(isMissing(filesWithin(files, 'plays'), 'site.yml')).toBe(true);
  expect(isMissing(filesWithin(files, 'gone'), 'site.yml')).toBe(true);
  // Nobody knows what is in a submodule.
  for (const folder of ['shared', 'shared/deep']) {
    expect(isMissing(filesWithin(files, folder), 'any.yml')).toBe(false);
  }
});
