import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AuthMethod } from '#shared/webhooks/auth-methods.ts';
import { checkSender, credentialHeaders } from './check-sender.ts';

const login = { login: 'hook', password: 'the secret' };
const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
const sign = (hash: string, encoding: 'hex' | 'base64' = 'hex', key = login.password): string =>
  createHmac(hash, key).update(bytes).digest(encoding);

const now = new Date('2026-11-29T12:00:00Z');

function code(auth_method: AuthMethod, headers: Record<string, string>, auth_header = ''): string {
  const checked = checkSender({ auth_method, auth_header }, login, { headers, bytes }, now);
  return checked.refusal?.code ?? 'let in';
}

const [missing, wrong] = ['delivery.credentials_missing', 'delivery.credentials_wrong'];
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

test.each<[method: AuthMethod, headers: Record<string, string>, result: string]>([
  ['', {}, 'let in'],
  ['github', { 'x-hub-signature-256': `sha256=${sign('sha256')}` }, 'let in'],
  ['github', { 'X-Hub-Signature-256': `sha256=${sign('sha256').toUpperCase()}` }, 'let in'],
  ['github', { 'x-hub-signature-256': sign('sha256') }, wrong],
  ['github', { 'x-hub-signature-256': `sha1=${sign('sha1')}` }, wrong],
  ['github', { 'x-hub-signature-256': `sha256=${sign('sha256', 'hex', 'other')}` }, wrong],
  ['github', { 'x-hub-signature-256': '' }, missing],
  ['github', { 'x-hub-signature-256': 'sha256=' }, missing],
  ['bitbucket', { 'x-hub-signature': 'sha256= ' }, missing],
  ['github', { 'x-hub-signature': `sha256=${sign('sha256')}` }, missing],
  ['bitbucket', { 'x-hub-signature': `sha256=${sign('sha256')}` }, 'let in'],
  ['bitbucket', { 'x-hub-signature': `sha256=${sign('sha256').slice(1)}` }, wrong],
  ['bitbucket', {}, missing],
  ['gitlab', { 'x-gitlab-token': 'the secret' }, 'let in'],
  ['gitlab', { 'x-gitlab-token': 'the secre' }, wrong],
  ['gitlab', { 'x-gitlab-token': 'the secret ' }, wrong],
  ['gitlab', { 'x-gitlab-token': 'The secret' }, wrong],
  ['gitlab', {}, missing],
  ['token', { authorization: 'the secret' }, 'let in'],
  ['token', { authorization: 'Bearer the secret' }, 'let in'],
  ['token', { authorization: 'bearer the secret' }, 'let in'],
  ['token', { authorization: 'Bearer' }, wrong],
  ['token', {}, missing],
  ['basic', { authorization: basic('hook:the secret') }, 'let in'],
  ['basic', { authorization: basic('hook:other') }, wrong],
  ['basic', { authorization: basic('other:the secret') }, wrong],
  ['basic', { authorization: basic(':the secret') }, wrong],
  ['basic', { authorization: 'Basic' }, wrong],
  ['basic', { authorization: 'hook:the secret' }, wrong],
  ['basic', {}, missing],
  ['hmac', { 'x-hub-signature-256': sign('sha256') }, 'let in'],
  ['hmac', { 'x-hub-signature-256': `sha256=${sign('sha256')}` }, 'let in'],
  ['hmac', { 'x-hub-signature-256': sign('sha256', 'base64') }, 'let in'],
  ['hmac', { 'x-hub-signature-256': sign('sha512') }, 'let in'],
  ['hmac', { 'x-hub-signature-256': `SHA512=${sign('sha512', 'base64')}` }, 'let in'],
  ['hmac', { 'x-hub-signature-256': `sha1=${sign('sha1')}` }, 'let in'],
  ['hmac', { 'x-hub-signature-256': sign('sha1') }, 'let in'],
  ['hmac', { 'x-hub-signature-256': `v1=${sign('sha256')}` }, 'let in'],
  ['hmac', { 'x-hub-signature-256': `v1=${sign('sha256', 'hex', 'other')}` }, wrong],
  ['hmac', { 'x-hub-signature-256': `v0=${sign('sha256')}` }, wrong],
  ['hmac', { 'x-hub-signature-256': `md5=${sign('md5')}` }, wrong],
  ['hmac', { 'x-hub-signature-256': `sha512=${sign('sha256')}` }, wrong],
  ['hmac', { 'x-hub-signature-256': 'sha256=' }, missing],
  ['hmac', { 'x-hub-signature-256': '' }, missing],
  ['hmac', { 'x-hub-signature-256': 'x'.repeat(100_000) }, wrong],
])('%s with %j: %s', (method, headers, result) => {
  expect(code(method, headers)).toBe(result);
});

describe('a webhook sent as a form', () => {
  const payload = '{"ref":"refs/heads/main","by":"Zoë & co"}';
  const form = Buffer.from(new URLSearchParams({ payload }).toString());
  const hmac = (text: string | Buffer): string =>
    `sha256=${createHmac('sha256', login.password).update(text).digest('hex')}`;
  const headers = (signature: string, type = 'application/x-www-form-urlencoded') => ({
    'content-type': type,
    'x-hub-signature-256': signature,
    'x-hub-signature': signature,
  });
  const codeOf = (auth_method: AuthMethod, given: Record<string, string>, body = form) =>
    checkSender({ auth_method, auth_header: '' }, login, { headers: given, bytes: body }, now)
      .refusal?.code;

  test.each(['github', 'bitbucket', 'hmac'] as const)(
    'is signed over its body by one sender and over its payload by another: %s',
    (method) => {
      expect(codeOf(method, headers(hmac(form)))).toBeUndefined();
      expect(codeOf(method, headers(hmac(payload)))).toBeUndefined();
      expect(codeOf(method, headers(hmac('{}')))).toBe(wrong);
      expect(codeOf(method, headers(hmac(payload), 'application/json'))).toBe(wrong);
      expect(codeOf(method, headers(hmac('')), Buffer.from('other=1'))).toBe(wrong);
    },
  );

  test('is the same request with further fields, which nobody has signed', () => {
    const more = Buffer.from(`${form.toString()}&payload=%7B%7D&more=1`);
    const github = { auth_method: 'github', auth_header: '' } as const;
    const signed = [form, more].map((body) => {
      const request = { headers: headers(hmac(payload)), bytes: body };
      const checked = checkSender(github, login, request, now);
      return checked.refusal ? null : checked.signed;
    });
    expect(signed[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(signed[0]).toBe(signed[1]);
  });
});

test('token and hmac read the header that the integration names, others their own', () => {
  expect(code('token', { 'x-ours': 'the secret' }, 'X-Ours')).toBe('let in');
  expect(code('token', { 'x-ours': 'Bearer the secret' }, 'X-Ours')).toBe(wrong);
  expect(code('token', { authorization: 'the secret' }, 'X-Ours')).toBe(missing);
  expect(code('hmac', { 'x-ours': sign('sha256') }, 'X-Ours')).toBe('let in');
  expect(code('gitlab', { 'x-ours': 'the secret' }, 'X-Ours')).toBe(missing);
  const hidden = (auth_method: AuthMethod) =>
    credentialHeaders({ auth_method, auth_header: 'X-Ours' });
  expect(hidden('hmac')).toEqual(['X-Ours', 'webhook-signature']);
  expect(hidden('basic')).toEqual(['Authorization', 'webhook-signature']);
  expect(hidden('')).toEqual([]);
});

test('nobody is let in where there is no secret to compare with', () => {
  const methods: AuthMethod[] = ['github', 'gitlab', 'bitbucket', 'token', 'hmac', 'basic'];
  const empty = createHmac('sha256', '').update(bytes).digest('hex');
  const headers = {
    'x-hub-signature-256': `sha256=${empty}`,
    'x-hub-signature': `sha256=${empty}`,
    'x-gitlab-token': '',
    authorization: '',
  };
  for (const auth_method of methods) {
    const checked = checkSender({ auth_method, auth_header: '' }, null, { headers, bytes }, now);
    expect([auth_method, checked.refusal?.code]).toEqual([auth_method, 'delivery.key_missing']);
  }
});

describe('a signature with a time', () => {
  const key = Buffer.from('0123456789abcdef0123456789abcdef');
  const secrets = { gitlab: `whsec_${key.toString('base64')}`, plain: 'a plain secret of its own' };
  const at = (seconds: number): string => String(now.getTime() / 1000 + seconds);
  const hmac = (secret: string | Buffer, content: string): Buffer =>
    createHmac('sha256', secret).update(content).update(bytes).digest();
  const standard = (secret: string | Buffer, id: string, time: string) => ({
    'Webhook-Id': id,
    'Webhook-Timestamp': time,
    'Webhook-Signature': `v1,${hmac('old', 'x').toString('base64')} v1,${hmac(secret, `${id}.${time}.`).toString('base64')}`,
  });
  const slack = (secret: string, time: string) => ({
    'X-Slack-Request-Timestamp': time,
    'X-Slack-Signature': `v0=${hmac(secret, `v0:${time}:`).toString('hex')}`,
  });
  const check = (method: AuthMethod, password: string, headers: object, auth_header = '') =>
    checkSender(
      { auth_method: method, auth_header },
      { login: '', password },
      { headers: { ...headers }, bytes },
      now,
    );
  const codeOf = (...given: Parameters<typeof check>): string =>
    check(...given).refusal?.code ?? 'let in';

  test('by Standard Webhooks is taken from GitLab and others, for five minutes', () => {
    const stale = 'delivery.time_wrong';
    for (const method of ['gitlab', 'hmac'] as const) {
      expect(codeOf(method, secrets.gitlab, standard(key, 'a', at(-299)))).toBe('let in');
      expect(codeOf(method, secrets.plain, standard(secrets.plain, 'a', at(299)))).toBe('let in');
      expect(codeOf(method, secrets.gitlab, standard(key, 'a', at(-301)))).toBe(stale);
      expect(codeOf(method, secrets.gitlab, standard(key, 'a', at(301)))).toBe(stale);
      expect(codeOf(method, secrets.gitlab, standard(key, 'a', 'soon'))).toBe(stale);
      expect(codeOf(method, secrets.gitlab, standard('other', 'a', at(0)))).toBe(wrong);
      const moved = { ...standard(key, 'a', at(0)), 'Webhook-Id': 'b' };
      expect(codeOf(method, secrets.gitlab, moved)).toBe(wrong);
    }
    expect(codeOf('github', secrets.gitlab, standard(key, 'a', at(0)))).toBe(missing);
    expect(codeOf('hmac', 'whsec_', standard(Buffer.alloc(0), 'a', at(0)))).toBe(wrong);
  });

  test('does not keep the older token of GitLab from being taken', () => {
    const headers = { ...standard('other', 'a', at(0)), 'X-Gitlab-Token': secrets.plain };
    expect(codeOf('gitlab', secrets.plain, headers)).toBe('let in');
  });

  test('of Slack is taken with the header that the integration names', () => {
    const header = 'X-Slack-Signature';
    expect(codeOf('hmac', secrets.plain, slack(secrets.plain, at(-10)), header)).toBe('let in');
    expect(codeOf('hmac', secrets.plain, slack('other', at(-10)), header)).toBe(wrong);
    expect(codeOf('hmac', secrets.plain, slack(secrets.plain, at(-400)), header)).toBe(
      'delivery.time_wrong',
    );
  });

  test('is recognised by its id when it is sent again with another time', () => {
    const signed = (id: string, seconds: number) => {
      const checked = check('gitlab', secrets.gitlab, standard(key, id, at(seconds)));
      return checked.refusal ? null : checked.signed;
    };
    expect(signed('a', 0)).toBe(signed('a', 60));
    expect(signed('a', 0)).not.toBe(signed('b', 0));
  });
});
