import { describe, expect, test } from 'vitest';
import { findPatterns } from './find.ts';
import { judge } from './judge.ts';

// Each of these patterns stopped a server, or would have.
const slow = [
  /\r+$/,
  /^\s*roles_paths?\s*=\s*(\S.*)$/m,
  /^\s*(?:-|\.|\/|[\w-]+\s*@\s*file:|.*\.(?:whl|zip|gz)\s*$)/m,
  /^(?:[\w.-]+@)?[\w.[\]:-]+:[^\s:][^\s]*$/,
  /^included: .* for (\S.*)$/,
  /^\S+@\S+$/,
  /^(.*?)(\d+)(\D*)$/s,
  /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/,
  /(a+)+$/,
  /^(?:a|a)*$/,
  /^(\w+\s?)*$/,
  /"(?:\\.|[^"])*"/,
];

const quick = [
  /^\d{4}-\d{2}$/,
  /\n/,
  /^[a-z_]\w*$/i,
  /^(?:[^,\\]|\\.)+$/,
  /[^\w.]+/g,
  /^(?:a{1,20}b{1,20})$/,
  /^\s*\S/,
];

describe('the judge of patterns', () => {
  test.each(slow)('refuses %s', ({ source, flags }) => {
    expect(judge({ source, flags })).not.toBe(null);
  });

  test.each(quick)('lets %s pass', ({ source, flags }) => {
    expect(judge({ source, flags })).toBe(null);
  });
});

test('finds patterns in every form', () => {
  const code = [
    "const a = /x+\\/'/gi.test(b as string);",
    "const c = new RegExp('y+', 'm');",
    'const d = RegExp(`z+`);',
    '// /not a pattern/',
    'const e = new RegExp(`${a}+`);',
    'const f = <p title="/no/">{b / c / d}</p>;',
  ].join('\n');
  expect(findPatterns('a.tsx', code)).toEqual({
    patterns: [
      { source: "x+\\/'", flags: 'gi', line: 1 },
      { source: 'y+', flags: 'm', line: 2 },
      { source: 'z+', flags: '', line: 3 },
    ],
    made: [5],
  });
});
