// The largest inventories.

import { type LargeInput, lines, megabyte } from './input.ts';

const inventory = (what: string, text: () => string): LargeInput => ({
  endpoint: 'inventories.create',
  role: 'manager',
  what,
  status: 201,
  body: () => ({
    name: what,
    type: what.includes('YAML') ? 'static-yaml' : 'static',
    inventory: text(),
    ssh_key_id: null,
  }),
});

export const inventoryInputs: LargeInput[] = [
  inventory('200 ranges of 50,000 hosts', () => lines(200, (index) => `h${index}-[1:50000]`)),
  inventory('many ranges in one line of 8 kB', () => `x[1:9]${'[1:9]'.repeat(1600)}`),
  inventory('a line of 40 kB of ranges', () => `x${'[1:9]'.repeat(8000)}`),
  inventory('lines of many ranges without hosts', () =>
    lines(18_000, () => `x${'[1:9]'.repeat(40)}/${'y'.repeat(20)}`),
  ),
  inventory('4 MB of hosts', () => lines(300_000, (index) => `host-${index}`)),
  inventory('2,500 groups in each other', () =>
    lines(
      2500,
      (index) => `[g${index}]\nh[1:5]\n[g${index}:children]\n${lines(60, (child) => `g${child}`)}`,
    ),
  ),
  inventory('4 MB of groups', () => lines(280_000, (index) => `[g${index}]\na`)),
  inventory('4 MB of quotes', () => lines(60_000, () => `"${' '.repeat(60)}`)),
  inventory('one line of 4 MB', () => ' '.repeat(4 * megabyte - 1) + 'x'),
  inventory('4 MB of colons', () => `[${':'.repeat(4 * megabyte - 2)}`),
  inventory('4 MB of brackets', () => '['.repeat(4 * megabyte)),
  inventory('YAML of 4 MB', () => `all:\n  hosts:\n${lines(250_000, (index) => `    h${index}:`)}`),
  inventory(
    'YAML of ranges',
    () => `all:\n  hosts:\n${lines(200, (index) => `    h${index}-[1:50000]:`)}`,
  ),
  inventory('YAML of 1,000 levels', () => lines(2500, (index) => `${' '.repeat(index)}children:`)),
];
