import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fixedSeed } from '../../../test/helpers/random.ts';
import { createLineSplitter, MAX_LINE_LENGTH } from './lines.ts';

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

test('tells the last line before its end, and of a long one only what follows a carriage return', () => {
  const splitter = createLineSplitter();
  splitter.push(Buffer.from('whole\n10 %'));
  splitter.push(Buffer.from('\r20 %'));
  expect(splitter.partial(100)).toBe('10 %\r20 %');
  expect(splitter.partial(6)).toBe('20 %');
  expect(splitter.partial(4)).toBeNull();
  expect(splitter.push(Buffer.from('\n'))).toEqual(['10 %\r20 %']);
  expect(splitter.partial(100)).toBe('');
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
  expect(lines.map((line) => line.length)).toEqual([MAX_LINE_LENGTH, 1024 * 1024]);
});

test('cuts a line sooner that would be very long as JSON, and the next one at its own length', () => {
  const megabytes = (text: string, count: number) =>
    Array.from({ length: count }, () => Buffer.alloc(1024 * 1024, text));
  const lines = split(...megabytes('\u0001', 9), Buffer.from('\n'), ...megabytes('x', 13));
  expect(lines.map((line) => line.length / 1024 / 1024)).toEqual([4, 4, 1, 13]);
});

test('loses and doubles nothing of any bytes, however cut, also when it begins again', () => {
  const byte = fc.constantFrom(0x61, 0x0a, 0xc3, 0xbc, 0xf0, 0x9f, 0x9a, 0x86, 0x00, 0xff);
  const piece = fc.array(byte, { maxLength: 30 });
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, fc.boolean())), (pieces) => {
      const all = Buffer.concat(pieces.map(([bytes]) => Buffer.from(bytes)));
      let splitter = createLineSplitter(8);
      const lines: string[] = [];
      let position = 0;
      for (const [bytes, isRestart] of pieces) {
        lines.push(...splitter.push(Buffer.from(bytes)));
        position += bytes.length;
        if (!isRestart) continue;
        // A runner that has restarted reads on in the same way, behind the lines that were handed over.
        const held = all.subarray(position - splitter.held(), position);
        splitter = createLineSplitter(8);
        lines.push(...splitter.push(held));
      }
      lines.push(...splitter.end());
      // The joined text does not show which lines were cut and which ended.
      const shown = (text: string): string => text.replace(/[\n\uFFFD]/g, '');
      expect(shown(lines.join('\n'))).toBe(shown(all.toString('utf8')));
    }),
    { seed: fixedSeed, numRuns: 3000 },
  );
});
