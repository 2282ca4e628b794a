import { expect, test } from 'vitest';
import { refusal } from '../../../test/helpers/config.ts';
import { loadConfig } from './config.ts';

test('the role runner needs a database that servers share, or a server to ask', () => {
  expect(refusal({ SIGNALBOX_ROLE: 'runner' })).toBe(
    'SIGNALBOX_ROLE holds "runner", which needs a database that servers share, or a server to ask: set SIGNALBOX_DATABASE_URL or SIGNALBOX_SERVER_URL too.',
  );
  expect(loadConfig({ SIGNALBOX_ROLE: 'web' }).role).toBe('web');
});

test('a runner without a database says which server it works for', () => {
  const url = 'https://signalbox.example.com/';
  expect(loadConfig({ SIGNALBOX_SERVER_URL: url, SIGNALBOX_RUNNER_TOKEN: 'abc' }).remote).toEqual({
    serverUrl: 'https://signalbox.example.com',
    token: 'abc',
  });
  expect(refusal({ SIGNALBOX_RUNNER_TOKEN: 'abc' })).toBe(
    'SIGNALBOX_RUNNER_TOKEN needs SIGNALBOX_SERVER_URL: say which server.',
  );
  const both = { SIGNALBOX_SERVER_URL: url, SIGNALBOX_DATABASE_URL: 'postgres://db/signalbox' };
  expect(refusal(both)).toMatch(/is for runners without a database/);
});
