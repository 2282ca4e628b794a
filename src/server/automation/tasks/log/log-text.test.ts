import { expect, test } from 'vitest';
import { withoutColours } from './log-text.ts';

test.each([
  ['\u001b[0;32mok: [host]\u001b[0m', 'ok: [host]'],
  ['\u001b[38;5;208morange\u001b[39m', 'orange'],
  ['\u001b]0;title\u0007text', 'text'],
  ['\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['\u001b[2K\u001b[1Aup', 'up'],
  ['plain [0m text', 'plain [0m text'],
])('takes the control sequences out of %j', (text, plain) => {
  expect(withoutColours(text)).toBe(plain);
});
