import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter, longestLine } from './lines.ts';

function split(...pieces: Buffer[]): string[] {
  const splitter = createLineSplitter();
  return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
}

test('splits the same text the same way, however it is cut', () => {
  const word = fc.constantFrom('a', 'ü', '🚆', '\n', '\r\n', '\t', ' ', '\u001b[0m');
  fc.assert(
    fc.property(fc.array(word), fc.array(fc.nat(5)), (words, cuts) => {
      const bytes = Buffer.from(words.join(''));
      const pieces: Buffer[] = [];
      let at = 0;
      for (const cut of cuts) {
        pieces.push(bytes.subarray(at, at + cut));
        at += cut;
      }
      expect(split(...pieces, bytes.subarray(Math.min(at, bytes.length)))).toEqual(split(bytes));
    }),
  );
});

test('gives a last line without an end, and no empty one after a last end', () => {
  expect(split(Buffer.from('a\nb'))).toEqual(['a', 'b']);
  expect(split(Buffer.from('a\nb\n'))).toEqual(['a', 'b']);
  expect(split(Buffer.from('\n\n'))).toEqual(['', '']);
});

test('takes invalid UTF-8', () => {
  expect(split(Buffer.from([0x61, 0xff, 0x0a, 0xc3]))).toEqual(['a\uFFFD', '\uFFFD']);
});

test('cuts a line that never ends', () => {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const lines = split(...Array.from({ length: 17 }, () => piece));
  expect(lines.map((line) => line.length)).toEqual([longestLine, 1024 * 1024]);
});
