import { expect, test } from 'vitest';
import { channelBody, channelValues } from './channel-values.ts';

const typed = {
  ...channelValues(),
  addresses: ['ops@example.com'],
  chat: '42',
  address: 'https://hooks.example.com/a',
  secret: 'token',
};

test.each([
  ['email', { addresses: typed.addresses, chat: '', address: '', secret: '' }],
  ['telegram', { addresses: [], chat: '42', address: '', secret: 'token' }],
  ['webhook', { addresses: [], chat: '', address: typed.address, secret: 'token' }],
] as const)('of a channel of type %s only its own fields are sent', (type, sent) => {
  expect(channelBody({ ...typed, type })).toMatchObject(sent);
});

test('a new channel tells of failures, recoveries and confirmations, and replaces nothing', () => {
  expect(channelValues()).toMatchObject({
    events: ['failed', 'recovered', 'waiting'],
    active: true,
    override_secret: false,
  });
});
