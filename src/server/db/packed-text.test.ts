import { expect, test } from 'vitest';
import { pack, unpack } from './packed-text.ts';

const textOf = (characters: number): string => 'a line é\n'.repeat(characters).slice(0, characters);

test.each([0, 1, 8191, 8192, 8193, 1_000_000])('packs a text of %i characters', async (count) => {
  const text = textOf(count);
  const packed = await pack(text);
  expect(await unpack(packed, Buffer.byteLength(text) + 1024)).toBe(text);
  expect(await unpack(packed)).toBe(text);
});

test.each([8000, 1_000_000])('makes a text of %i characters smaller', async (count) => {
  expect((await pack(textOf(count))).length).toBeLessThan(count / 10);
});
