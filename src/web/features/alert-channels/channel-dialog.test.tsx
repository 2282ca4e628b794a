import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type AlertChannel, alertChannels } from '#shared/api/alert-channels.ts';
import { system } from '#shared/api/system.ts';
import { templates } from '#shared/api/templates.ts';
import { workflows } from '#shared/api/workflows.ts';
import { refusalOf, renderAt, replyOf, revision } from '../../../../test/components/render.tsx';
import { anInfo, aTemplate, aWorkflow } from '../../../../test/components/samples.ts';
import { ChannelDialog } from './channel-dialog.tsx';

const stored: AlertChannel = {
  id: 2,
  project_id: 1,
  name: 'Operators',
  type: 'gotify',
  active: true,
  events: ['failed'],
  template_ids: [],
  workflow_ids: [],
  addresses: [],
  chat: '',
  host: 'gotify.example.com',
  has_secret: true,
  available: true,
};

interface ChannelSetup {
  change?: Partial<AlertChannel>;
  mail?: boolean;
  workflow?: boolean;
}

async function openChannel(
  edit: number | 'new',
  { change, mail = true, workflow }: ChannelSetup = {},
) {
  const view = await renderAt(<ChannelDialog projectId={1} edit={edit} onClose={() => {}} />, {
    replies: [
      replyOf(system.info, { ...anInfo, alerts: { mail, telegram: true } }),
      replyOf(templates.list, [aTemplate]),
      replyOf(workflows.list, workflow ? [aWorkflow] : []),
      replyOf(alertChannels.one, { ...stored, ...change }),
      replyOf(alertChannels.create, stored),
      replyOf(alertChannels.update, undefined),
    ],
  });
  await view.field('Name');
  return view;
}

const events = [
  'fails',
  'succeeds after a failure',
  'waits for confirmation',
  'succeeds',
  'is stopped',
];
const last = [...events, 'Only for these templates', 'Active'];

test('the type of a new channel decides what the form asks for', async () => {
  const { choose, labels } = await openChannel('new');
  const expected = {
    Email: ['Email addresses *'],
    Telegram: ['Chat *', 'Token *'],
    Slack: ['Address *'],
    Gotify: ['Address *', 'Token *'],
    ntfy: ['Address *', 'Token'],
    Webhook: ['Address *', 'Secret for signatures'],
  };
  for (const [type, fields] of Object.entries(expected)) {
    await choose('Type', type);
    expect(labels()).toEqual(['Name *', 'Type *', ...fields, ...last]);
  }
});

test('mail is offered with a warning where the server has none', async () => {
  const { choose, findByText, queryByText } = await openChannel('new', { mail: false });
  const warning = 'Email is not set up on this server. Ask an administrator.';
  await choose('Type', 'Email');
  expect(await findByText(warning)).toBeTruthy();
  await choose('Type', 'Slack');
  expect(queryByText(warning)).toBeNull();
});

test('a new channel sends the values of its type only', async () => {
  const { choose, fill, tick, press, sent } = await openChannel('new');
  await fill('Name', 'Operators');
  await fill('Address', 'https://hooks.example.com/1');
  await fill('Secret for signatures', 'signing');
  await choose('Type', 'Telegram');
  await fill('Chat', '@operators');
  await fill('Token', '123456:ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghi');
  await tick('is stopped');
  await press('Create');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    name: 'Operators',
    type: 'telegram',
    active: true,
    events: ['failed', 'recovered', 'waiting', 'stopped'],
    template_ids: [],
    workflow_ids: [],
    addresses: [],
    chat: '@operators',
    address: '',
    secret: '123456:ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghi',
    override_secret: false,
  });
});

test('a stored address stays unless it is replaced, which asks for address and token', async () => {
  const { field, labels, tick, press, findByText, sent } = await openChannel(2);
  expect(labels().slice(2, 5)).toEqual(['Replace address and token', 'Address', 'Token']);
  const address = await field('Address');
  expect([address.disabled, address.placeholder]).toEqual([true, 'Stored: gotify.example.com']);
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    ifMatch: revision,
    body: { type: 'gotify', address: '', secret: '', override_secret: false },
  });
  await tick('Replace address and token');
  expect(labels().slice(3, 5)).toEqual(['Address *', 'Token *']);
  await press('Save');
  expect(await findByText('Address is required')).toBeTruthy();
  expect(await findByText('Token is required')).toBeTruthy();
});

test.each([
  { change: { host: null }, replaces: true },
  { change: { has_secret: false }, replaces: true },
  { change: { type: 'ntfy' as const, has_secret: false }, replaces: false },
])('a channel with $change opens with replacing: $replaces', async ({ change, replaces }) => {
  const { field } = await openChannel(2, { change });
  expect((await field('Replace address and token')).checked).toBe(replaces);
});

test('a channel without address and token only changes its type', async () => {
  const { labels } = await openChannel(2, { change: { type: 'email', addresses: ['a@b.c'] } });
  expect(labels().slice(0, 4)).toEqual([
    'Name *',
    'Type *',
    'Change the type',
    'Email addresses *',
  ]);
});

test('nothing chosen means everything, unless the other choice limits the channel', async () => {
  const { field } = await openChannel(2, {
    change: { template_ids: [1], workflow_ids: [] },
    workflow: true,
  });
  expect((await field('Only for these workflows')).placeholder).toBe('For no workflows');
  expect((await field('Only for these templates')).placeholder).toBe('');
});

test('an error about one of several addresses is shown at their input', async () => {
  const { answer, press, findByText, sent } = await openChannel(2, {
    change: { type: 'email', addresses: ['a@example.com'] },
  });
  answer(
    refusalOf(alertChannels.update, {
      status: 400,
      code: 'request.invalid',
      fields: [{ path: 'addresses.0', code: 'user.email_invalid', params: {}, message: '' }],
    }),
  );
  await press('Save');
  expect(await findByText('This is not an email address')).toBeTruthy();
  expect(sent).toHaveLength(1);
});

test('a channel needs an event', async () => {
  const { tick, press, findByText, sent } = await openChannel(2);
  await tick('fails');
  await press('Save');
  expect(await findByText('Fill this in')).toBeTruthy();
  expect(sent).toEqual([]);
});
