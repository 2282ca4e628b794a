import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { recordedEvents } from '#shared/catalogue/recorded-events.ts';
import { objectTypes } from '#shared/object-types.ts';

const english = new URL('../../locales/en.json', import.meta.url);

test('everything that events are about has a word, to filter by', () => {
  const { activity } = JSON.parse(readFileSync(english, 'utf8')) as {
    activity: { kind: Record<string, string> };
  };
  const kinds = new Set([
    ...recordedEvents.codes.map((code) => code.split('.')[0] ?? ''),
    ...objectTypes,
  ]);
  expect([...kinds].filter((kind) => !activity.kind[kind])).toEqual([]);
});
