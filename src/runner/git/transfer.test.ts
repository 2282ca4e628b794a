import { onTestFinished, expect, test, vi } from 'vitest';
import { createProgress } from './transfer.ts';

/** What is said of a transfer that begins now; `pass` lets so many milliseconds pass. */
function transfer() {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const said: string[] = [];
  const print = createProgress((line) => said.push(line));
  return { said, print, pass: (ms: number) => vi.advanceTimersByTime(ms) };
}

test('a short transfer says nothing', () => {
  const { said, print, pass } = transfer();
  print('remote: Counting objects: 100% (3/3), done.\n');
  pass(990);
  print('Receiving objects:  33% (1/3)\rReceiving objects: 100% (3/3), done.\n');
  expect(said).toEqual([]);
});

test('a long one says where it is, once a second, and nothing that is no progress', () => {
  const { said, print, pass } = transfer();
  pass(1100);
  print('Receiving objects:   1% (1/100)\rReceiving objects:   2% (2/100)\rReceiving obj');
  print('ects:   3% (3/100)\r');
  pass(1100);
  print('From https://example.com/code\n');
  print('Receiving objects:  90% (90/100)\r');
  expect(said).toEqual(['Receiving objects:   2% (2/100)', 'Receiving objects:  90% (90/100)']);
});
