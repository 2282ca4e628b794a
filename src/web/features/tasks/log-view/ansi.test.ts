import { describe, expect, test } from 'vitest';
import { type AnsiSegment, parseAnsi } from './ansi.ts';

const esc = '\u001b';
const plain = (text: string): AnsiSegment => ({ text, style: {} });

describe('parseAnsi', () => {
  const cases: [name: string, line: string, segments: AnsiSegment[]][] = [
    ['keeps plain text', 'ok: [web1]', [plain('ok: [web1]')]],
    ['gives nothing for an empty line', '', []],
    [
      'reads the colours that Ansible uses',
      `${esc}[0;32mok: [web1]${esc}[0m done`,
      [{ text: 'ok: [web1]', style: { fg: 2 } }, plain(' done')],
    ],
    [
      'reads bright colours and grounds',
      `${esc}[91;104mx`,
      [{ text: 'x', style: { fg: 9, bg: 12 } }],
    ],
    [
      'takes an empty parameter as a reset',
      `${esc}[1ma${esc}[mb`,
      [{ text: 'a', style: { bold: true } }, plain('b')],
    ],
    [
      'adds and ends weights one by one',
      `${esc}[1;3;4;2mx${esc}[22my${esc}[23;24mz`,
      [
        { text: 'x', style: { bold: true, italic: true, underline: true, dim: true } },
        { text: 'y', style: { italic: true, underline: true } },
        plain('z'),
      ],
    ],
    [
      'reads inverse and strike',
      `${esc}[7;9mx`,
      [{ text: 'x', style: { inverse: true, strike: true } }],
    ],
    [
      'takes the first 16 of 256 colours from the theme',
      `${esc}[38;5;9mx`,
      [{ text: 'x', style: { fg: 9 } }],
    ],
    [
      'computes the cube of 256 colours',
      `${esc}[38;5;208mx`,
      [{ text: 'x', style: { fg: '#ff8700' } }],
    ],
    [
      'computes the greys of 256 colours',
      `${esc}[48;5;244mx`,
      [{ text: 'x', style: { bg: '#808080' } }],
    ],
    [
      'reads true colour',
      `${esc}[38;2;255;128;0;1mx`,
      [{ text: 'x', style: { fg: '#ff8000', bold: true } }],
    ],
    [
      'reads true colour with colons',
      `${esc}[38:2::255:128:0mx`,
      [{ text: 'x', style: { fg: '#ff8000' } }],
    ],
    [
      'caps channels that are too large',
      `${esc}[38;2;999;0;0mx`,
      [{ text: 'x', style: { fg: '#ff0000' } }],
    ],
    [
      'ends a colour',
      `${esc}[31;41ma${esc}[39mb${esc}[49mc`,
      [{ text: 'a', style: { fg: 1, bg: 1 } }, { text: 'b', style: { bg: 1 } }, plain('c')],
    ],
    ['ignores unknown codes', `${esc}[31;73mx`, [{ text: 'x', style: { fg: 1 } }]],
    [
      'drops cursor movements',
      `a${esc}[2K${esc}[1Gb${esc}[?25lc`,
      [plain('a'), plain('b'), plain('c')],
    ],
    [
      'keeps the address of a link and drops titles',
      `${esc}]8;;https://example.com${esc}\\link${esc}]8;;\u0007`,
      [{ ...plain('link'), href: 'https://example.com/' }],
    ],
    ['drops short escapes', `${esc}(Bx${esc}7`, [plain('x')]],
    ['drops an escape that is cut off', `x${esc}[3`, [plain('x')]],
    ['drops a title that is cut off', `x${esc}]0;title`, [plain('x')]],
    ['drops control characters and keeps tabs', 'a\u0000\tb\u0008', [plain('a\tb')]],
    ['shows what is left after carriage returns', '10%\r50%\r100%\r', [plain('100%')]],
    [
      'leaves markup alone',
      '<img src=x onerror=alert(1)>',
      [plain('<img src=x onerror=alert(1)>')],
    ],
  ];
  test.each(cases)('%s', (_name, line, segments) => {
    expect(parseAnsi(line)).toEqual(segments);
  });
});
