// The mark `secret(…)` of src/shared/fields.ts says which fields contain a secret. These tests
// check what follows from the mark. Every request of every test checks that the values are found
// nowhere (test/helpers/kept-secrets.ts), and so does canaries.test.ts, which takes its list from
// the marks.

import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoint } from '#shared/api/endpoint.ts';
import { initially, nullable, optional, secret } from '#shared/fields.ts';
import { endpoints, type NamedEndpoint } from '#shared/api/index.ts';
import { clientMessage, serverMessage } from '#shared/api/live.ts';
import { recordedEvents } from '#shared/catalogue/recorded-events.ts';
import { openApi } from '../helpers/openapi.ts';
import { checkKept, logOf, watchedLog } from '../helpers/kept-secrets.ts';
import { fieldsOf, secretPaths, secretsOf, type Field } from '../helpers/secret-fields.ts';

const sounds =
  /passw|passphrase|private_?key|secret|token|api_?key|recovery|totp|otp_|credential|^code$|^alias$/i;

/** Fields of requests whose name sounds like a secret, but which contain none, with the reason. */
const noSecrets: [fields: RegExp, reason: string][] = [
  [/ body\.override_secret$/, 'whether there is a new one'],
  [/ body\.pull_secrets$/, 'the names of Secrets of Kubernetes'],
  [/ body\.auth_secret_id$/, 'which key it is'],
  [/ params\.token_id$/, 'which token it is'],
  [/ body\.(login_password|secrets)$/, 'holds fields that are marked'],
  [/^(events|projects)\.\w+ query\.code$/, 'the code of an event'],
  [/ body\.report\.failure\.code$/, 'why a task failed'],
  [/ body\.report\.why\.code$/, 'why a plan waits for a person'],
];

/** Marked fields of replies: they are shown to people who make them or have to pass them on. */
const shown: [field: string, reason: string][] = [
  ['tokens.create token', 'shown this once'],
  ['tokens.create id', 'shown this once'],
  ['runners.create token', 'shown this once'],
  ['runners.renewToken token', 'shown this once'],
  ['runners.registrationToken registration_token', 'shown this once'],
  ['projectRunners.create token', 'shown this once'],
  ['projectRunners.renewToken token', 'shown this once'],
  ['projectRunners.registrationToken registration_token', 'shown this once'],
  ['runnerApi.register credential', 'given this once, to the runner that enters'],
  ['runnerApi.delegate credential', 'given to the runner that holds the task'],
  ['secondFactor.start secret', 'shown this once'],
  ['secondFactor.start uri', 'shown this once'],
  ['secondFactor.confirm recovery_codes', 'shown this once'],
  ['secondFactor.renewCodes recovery_codes', 'shown this once'],
  ['aliases.list *.url', 'to be told to senders; for who may change integrations'],
  ['aliases.create url', 'to be told to senders; for who may change integrations'],
  ['aliases.ofProject *.url', 'to be told to senders; for who may change integrations'],
  ['aliases.addToProject url', 'to be told to senders; for who may change integrations'],
  ['backups.read integration_aliases.*', 'so that addresses stay after a restore'],
  ['backups.read integrations.*.aliases.*', 'so that addresses stay after a restore'],
  ['backups.restore new_aliases.*.url', 'to be told to senders; for who restores'],
];

const all = endpoints as readonly NamedEndpoint[];

const last = (path: string): string => path.split('.').findLast((step) => step !== '*') ?? '';

/** The fields that contain a value themselves, or a list of values. */
const named = (fields: Field[]): Field[] => fields.filter(({ path }) => path.length > 0);

const placesOf = (schema: z.ZodType): string[] => [
  ...new Set(
    named(fieldsOf(schema))
      .filter(({ path }) => path.at(-1) !== '*')
      .map(({ path }) => path.join('.')),
  ),
];

test('the marks are found through everything that wraps a field', () => {
  const one = secret(z.string());
  const schema = z
    .object({
      plain: one,
      short: one.max(3),
      optional: optional(one),
      nullable: nullable(one).transform((text) => text ?? ''),
      initially: initially(one, ''),
      list: z.array(z.object({ inner: one })).nullish(),
      byName: z.record(z.string(), one),
      either: z.union([z.object({ this: one }), z.object({ that: z.string() })]),
      before: z.preprocess((text) => text, one.optional()),
      later: z.lazy(() => one),
      open: z.string(),
    })
    .refine(() => true);
  expect(secretPaths(schema)).toEqual([
    'plain',
    'short',
    'optional',
    'nullable',
    'initially',
    'list.*.inner',
    'byName.*',
    'either.this',
    'before',
    'later',
  ]);
});

test('a field of a request that sounds like a secret is marked, or known to be none', () => {
  const requests = all.flatMap(({ name, endpoint: one }) =>
    (['params', 'query', 'body'] as const).flatMap((part) =>
      placesOf(one[part]).map((path) => ({ name, one, at: `${part}.${path}` })),
    ),
  );
  expect(requests.length).toBeGreaterThan(400);
  const unmarked = requests
    .filter(({ one, at }) => sounds.test(last(at)) && !secretsOf(one).includes(at))
    .map(({ name, at }) => `${name} ${at}`);
  expect(unmarked.filter((field) => !noSecrets.some(([known]) => known.test(field)))).toEqual([]);
  for (const [known] of noSecrets)
    expect(unmarked.filter((one) => known.test(one))).not.toEqual([]);
});

test('no reply holds a marked field but those that are shown for a reason', () => {
  const marked = all.flatMap(({ name, endpoint: one }) =>
    secretPaths(one.reply).map((path) => `${name} ${path}`),
  );
  expect(marked.toSorted()).toEqual(shown.map(([field]) => field).toSorted());
});

test('a field of a reply with the name of a marked field of its noun is always empty', () => {
  const full: string[] = [];
  let seen = 0;
  for (const { name, noun, endpoint: one } of all) {
    const secrets = all
      .filter((other) => other.noun === noun)
      .flatMap((other) => secretsOf(other.endpoint))
      .map((path) => path.replace(/^\w+\./, '').replaceAll('.*', ''));
    for (const { path, schema } of named(fieldsOf(one.reply))) {
      const place = path.filter((step) => step !== '*').join('.');
      if (!secrets.includes(place)) continue;
      seen += 1;
      const isEmpty = ['', null].some((value) => schema.safeParse(value).success);
      if (!isEmpty || schema.safeParse('x').success) full.push(`${name} ${path.join('.')}`);
    }
  }
  expect(seen).toBeGreaterThan(5);
  expect(full).toEqual([]);
});

test('no message of the websocket and no event names a marked field', () => {
  expect(secretPaths(serverMessage)).toEqual([]);
  expect(secretPaths(clientMessage)).toEqual([]);
  const names = new Set(all.flatMap(({ endpoint: one }) => secretsOf(one)).map(last));
  expect(names.size).toBeGreaterThan(5);
  const placeholders = recordedEvents.codes.flatMap((code) =>
    [...recordedEvents.text(code).matchAll(/\{\{(\w+)\}\}/g)].map(
      ([, name = '']) => [code, name] as const,
    ),
  );
  expect(placeholders.length).toBeGreaterThan(50);
  expect(placeholders.filter(([, name]) => names.has(name) || sounds.test(name))).toEqual([]);
});

test('the document of the API shows marked fields as to be written only', () => {
  const document = openApi;
  const paths = document['paths'] as Record<string, Record<string, object>>;
  const body = JSON.stringify(paths['/api/auth/login']?.['post']);
  expect(body).toMatch(/"password":\{[^{}]*"writeOnly":true/);
  const replies = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map((operation) => (operation as { responses: unknown }).responses),
  );
  expect(JSON.stringify(replies)).not.toContain('writeOnly');
  expect(JSON.stringify(document)).not.toMatch(/"secret":true/);
});

test('a reply that takes over a marked field is found', () => {
  const leaky = endpoint({
    method: 'GET',
    path: '/api/leak',
    permission: 'user',
    summary: 'Tells what it should not',
    reply: z.object({ items: z.array(z.object({ password: secret(z.string()) })) }),
  });
  expect(secretPaths(leaky.reply)).toEqual(['items.*.password']);
});

test('what is sent in a marked field is found wherever it comes back', async () => {
  const password = 'opens "everything"';
  const request = {
    method: 'POST' as const,
    url: '/api/project/1/keys',
    payload: { name: 'Key', type: 'login_password', login_password: { login: 'a', password } },
  };
  const look = (text: string) => checkKept(request, [{ name: 'an event', read: () => text }]);
  await look(JSON.stringify({ name: 'Key', login: 'a' }));
  const found = 'in keys.create body.login_password.password was found in an event';
  await expect(look(JSON.stringify({ name: password }))).rejects.toThrow(found);
  const asText = { ...request, payload: JSON.stringify(request.payload) };
  const leak = { name: 'the log', read: () => `before ${password} after` };
  await expect(checkKept(asText, [leak])).rejects.toThrow('was found in the log');

  const log = watchedLog();
  log.info({ given: password }, 'before');
  const printed = logOf(log);
  expect(printed()).toBe('');
  log.debug({ given: password }, 'after');
  await expect(look(printed())).rejects.toThrow(found);
});
