import { expect, test } from 'vitest';
import { parseAnsi } from './ansi.ts';
import { otherHost } from './links.ts';

const esc = '\u001b';
const osc = (href: string, text: string): string =>
  `${esc}]8;;${href}${esc}\\${text}${esc}]8;;${esc}\\`;

/** Links as [text](address), and the rest as it is. */
const shown = (line: string): string =>
  parseAnsi(line)
    .map(({ text, href }) => (href ? `[${text}](${href})` : text))
    .join('');

test.each([
  [
    'see https://a.example/x?y=1#z for more',
    'see [https://a.example/x?y=1#z](https://a.example/x?y=1#z) for more',
  ],
  ['(http://a.example/b).', '([http://a.example/b](http://a.example/b)).'],
  ['http://a.example/b_(c)', '[http://a.example/b_(c)](http://a.example/b_(c))'],
  ['"http://a.example/","x"', '"[http://a.example/](http://a.example/)","x"'],
  [
    'https://a.example/1 https://b.example/2',
    '[https://a.example/1](https://a.example/1) [https://b.example/2](https://b.example/2)',
  ],
  ['http:// and https://', 'http:// and https://'],
  [
    'ftp://a.example javascript:alert(1) file:///etc',
    'ftp://a.example javascript:alert(1) file:///etc',
  ],
  [`${esc}[32mhttps://a.example/${esc}[0m`, '[https://a.example/](https://a.example/)'],
  [`a ${osc('https://a.example/run/7', 'run 7')} b`, 'a [run 7](https://a.example/run/7) b'],
  [osc('https://a.example/', 'https://b.example/'), '[https://b.example/](https://a.example/)'],
  [osc('javascript:alert(1)', 'click'), 'click'],
  [osc('data:text/html,x', 'click'), 'click'],
  [`${esc}]8;id=7;https://a.example/\u0007x${esc}]8;;\u0007y`, '[x](https://a.example/)y'],
])('makes links of the addresses in %j', (line, expected) => {
  expect(shown(line)).toBe(expected);
});

test.each([
  ['https://a.example/x', 'https://a.example/y', null],
  ['https://bank.example/', 'https://evil.example/', 'evil.example'],
  ['bank.example', 'https://evil.example:8443/', 'evil.example:8443'],
  ['A.example', 'https://a.example/', null],
  ['run 7', 'https://a.example/', null],
])('%j that leads to %j names the host %j', (text, href, host) => {
  expect(otherHost(text, href)).toBe(host);
});
