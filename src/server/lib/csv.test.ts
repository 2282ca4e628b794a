import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test.each([
  [['a', 1, null, ''], 'a,1,,'],
  [['a,b', 'say "x"', 'one\ntwo', 'x\ry'], '"a,b","say ""x""","one\ntwo","x\ry"'],
  [['=1+1', '+1', '-1', '@x', '\tx'], "'=1+1,'+1,'-1,'@x,'\tx"],
  [['\r=1', '=1,2', 'a=1'], `"'\r=1","'=1,2",a=1`],
])('%j', (cells, line) => {
  expect(csvLine(cells)).toBe(`${line}\r\n`);
});
