import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingsGuide } from './settings-guide.ts';

test('the guide lists all settings; if this fails, run npm run settings-guide', () => {
  expect(readFileSync('docs/guide/settings.md', 'utf8')).toBe(settingsGuide);
});
