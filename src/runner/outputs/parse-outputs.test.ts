import { describe, expect, test } from 'vitest';
import { validateOutputs, parseOutputs, type Output, WrongOutputs } from './parse-outputs.ts';

const read = (text: string | Buffer): Output[] => validateOutputs(parseOutputs(Buffer.from(text)));
const plain = (name: string, value: Output['value']): Output => ({ name, value, isSecret: false });
const secret = (name: string, value: Output['value']): Output => ({ name, value, isSecret: true });

test.each<[string, Output[]]>([
  ['', []],
  ['\n\n', []],
  [
    'A=1\nb_2=two words = and = more  \n',
    [plain('A', '1'), plain('b_2', 'two words = and = more  ')],
  ],
  ['A=1\r\nB=', [plain('A', '1'), plain('B', '')]],
  ['\uFEFFA=ü€😀', [plain('A', 'ü€😀')]],
  ['A=first\nB=x\nA=last\n', [plain('A', 'last'), plain('B', 'x')]],
  ['secret A=x\n', [secret('A', 'x')]],
  ['A=x\nsecret A=y\n', [secret('A', 'y')]],
  ['secret=x\n', [plain('secret', 'x')]],
  ['A=<<B\n', [plain('A', '<<B')]],
  ['A<<END\none\n\n  END\nEND \nEND\nB=2\n', [plain('A', 'one\n\n  END\nEND '), plain('B', '2')]],
  ['secret A<<EOT\r\none\r\ntwo\r\nEOT', [secret('A', 'one\ntwo')]],
  ['A<<END\nEND\n', [plain('A', '')]],
  ['{}', []],
  [
    ' \n{"a": [1, -2.5, true, null, {"b": "c"}], "secret d": {"user": "e"}, "a": "last"}\n',
    [plain('a', 'last'), secret('d', { user: 'e' })],
  ],
  ['{"a": {"secret": "x"}}', [plain('a', { secret: 'x' })]],
  ['{"__proto__": 1}', [plain('__proto__', 1)]],
])('reads %j', (text, outputs) => {
  expect(read(text)).toEqual(outputs);
});

const wrong = (text: string | Buffer) => {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof WrongOutputs) return [error.failure.code, error.failure.params];
    throw error;
  }
};

const deep = (depth: number): string => `{"a": ${'['.repeat(depth)}${']'.repeat(depth)}}`;
const many = (count: number): string =>
  Array.from({ length: count }, (_, index) => `N${index}=x\n`).join('');
const large = 'x'.repeat(16 * 1024 - 2);

describe('says what is wrong and in which line:', () => {
  test.each<[string, string | Buffer, string, object]>([
    ['a space', 'A=1\nB = 2\n', 'line', { line: 2 }],
    ['a comment', '# x\n', 'line', { line: 1 }],
    ['a shell command', 'A=1\n\nexport B=2\n', 'line', { line: 3 }],
    ['a name that begins with a digit', '1A=x', 'line', { line: 1 }],
    ['two marks', 'secret secret A=x', 'line', { line: 1 }],
    ['a list', '["a"]', 'line', { line: 1 }],
    ['two words after <<', 'A<<ONE TWO\n', 'line', { line: 1 }],
    ['a sign that ends no name', 'A-B=x', 'line', { line: 1 }],
    ['no word after <<', 'A<<\n', 'line', { line: 1 }],
    ['no end', 'A=1\nB<<END\nx\nEND of it\n', 'unended', { line: 2 }],
    ['a zero byte', 'A=1\nB=x\0y\n', 'text', { line: 2 }],
    ['a zero byte in JSON', '{"a": "x\0"}', 'text', { line: 1 }],
    [
      'bytes that are no UTF-8',
      Buffer.from([65, 61, 49, 10, 66, 61, 0xff, 10]),
      'text',
      { line: 2 },
    ],
    ['a character that is cut', Buffer.from([65, 61, 0xc3]), 'text', { line: 1 }],
    ['a word in JSON', '{\n"a": 1,\n"b": x\n}', 'json', { line: 3 }],
    ['a missing comma', '{\n"a": 1\n"b": 2\n}', 'json', { line: 3 }],
    ['a missing value', '{\n"a":\n}\n', 'json', { line: 3 }],
    ['JSON without an end', '{\n"a": "x",\n', 'json', { line: 3 }],
    ['a text without an end', '{\n"a": "x,\n}', 'json', { line: 2 }],
    ['lines behind JSON', '{"a": 1}\nB=2\n', 'json', { line: 2 }],
    ['NaN', '{"a": NaN}', 'json', { line: 1 }],
    ['a name with a point', '{"a.b": 1}', 'name', { name: 'a.b' }],
    ['a name without characters', '{"": 1}', 'name', { name: '' }],
    ['two marks in JSON', '{"secret secret a": 1}', 'name', { name: 'secret a' }],
    ['a long name', `${'n'.repeat(129)}=1`, 'name', { name: 'n'.repeat(100) }],
    ['a long integer', '{"a": {"b": [9007199254740993]}}', 'number', { name: 'a' }],
    ['a number without end', '{"a": 1e999}', 'number', { name: 'a' }],
    ['deep JSON', deep(21), 'depth', { most: 20 }],
    ['very deep JSON', `{"a": ${'['.repeat(30_000)}`, 'depth', { most: 20 }],
    ['a large value', `A=${large}x`, 'value_size', { name: 'A', most: 16 }],
    ['large values', `A=${large}\nB=${large}\nC=${large}\nD=${large}\n`, 'size', { most: 64 }],
    ['many outputs', many(101), 'count', { most: 100 }],
  ])('%s', (_title, text, code, params) => {
    expect(wrong(text)).toEqual([`failure.outputs_${code}`, params]);
  });

  test('what is just allowed is read', () => {
    expect(read(many(100))).toHaveLength(100);
    expect(read(`A=${large}`)).toEqual([plain('A', large)]);
    expect(read(deep(20))).toHaveLength(1);
    expect(read(`${'n'.repeat(128)}=1`)).toHaveLength(1);
    expect(read('{"a": 9007199254740991, "b": 0.1}')).toHaveLength(2);
  });
});
