// docs/images has the pictures that documents show, and no others; the rest are taken when somebody needs them.

import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { imageFolder, shownPictures } from '../scripts/guide/pictures.ts';
import { stops } from './helpers/tour.ts';

test('each picture is shown by a document, and each picture that is shown is there', () => {
  expect(readdirSync(imageFolder).toSorted()).toEqual([...shownPictures()].toSorted());
});

test('each picture is of a stop of the tour, so that it can be taken again', () => {
  const names = stops.map(({ name }) => name);
  const lost = [...shownPictures()].filter(
    (picture) => !names.includes(picture.replace(/-(?:light|dark)-\d+(?:-\w+)?\.webp$/, '')),
  );
  expect(shownPictures().size).toBeGreaterThan(10);
  expect(lost).toEqual([]);
});
