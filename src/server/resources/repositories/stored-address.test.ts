import { expect, test } from 'vitest';
import { fromStored, toStored, withAddresses } from './stored-address.ts';

const here = { dataDir: '/srv/signal box' };
const there = { dataDir: '/var/lib/ä' };

test.each([
  ['/srv/signal box/repositories/site', '/var/lib/ä/repositories/site'],
  ['file:///srv/signal%20box/repositories/a%20b', 'file:///var/lib/%C3%A4/repositories/a%20b'],
])('%s is found in the data folder wherever it is', (url, moved) => {
  expect(fromStored(here, toStored(here, url))).toBe(url);
  expect(fromStored(there, toStored(here, url))).toBe(moved);
});

test.each([
  '/srv/signal box',
  '/srv/signal boxes/site',
  '/srv/signal box/../other',
  '/elsewhere/site',
  'file:///elsewhere/site',
  'https://git.example.com/srv/signal box/site',
  'git@git.example.com:site',
])('%s stays as it is', (url) => {
  expect(toStored(here, url)).toBe(url);
  expect(fromStored(there, url)).toBe(url);
});

test('what a task runs has both addresses converted', () => {
  const snapshot = {
    repository: { git_url: 'a' },
    inventoryRepository: { git_url: 'b' },
    limit: 'web',
  };
  expect(withAddresses(snapshot, (url) => `${url}!`)).toEqual({
    repository: { git_url: 'a!' },
    inventoryRepository: { git_url: 'b!' },
    limit: 'web',
  });
});
