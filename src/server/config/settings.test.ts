import { expect, test } from 'vitest';
import { settings } from './settings.ts';

test('every setting accepts what it has initially, and says what it is for', () => {
  for (const setting of settings) {
    expect(!('initial' in setting) || setting.accepts(setting.initial)).toBe(true);
    expect(setting.about).toMatch(/^[A-Z]/);
    expect(setting.name).toMatch(/^SIGNALBOX_[A-Z_]+$/);
  }
});
