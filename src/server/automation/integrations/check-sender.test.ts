import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AuthMethod } from '#shared/api/integrations.ts';
import { checkSender, credentialHeader, signedHash } from './check-sender.ts';

const login = { login: 'hook', password: 'the secret' };
const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
const sign = (hash: string, encoding: 'hex' | 'base64' = 'hex', key = login.password): string =>
  createHmac(hash, key).update(bytes).digest(encoding);

function code(auth_method: AuthMethod, headers: Record<string, string>, auth_header = ''): string {
  return checkSender({ auth_method, auth_header }, login, { headers, bytes })?.code ?? 'let in';
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
  ['hmac', { 'x-hub-signature-256': sign('sha1') }, wrong],
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
    checkSender({ auth_method, auth_header: '' }, login, { headers: given, bytes: body })?.code;

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
    const hashes = [form, more].map((body) =>
      signedHash({ auth_method: 'github' }, { headers: headers(''), bytes: body }),
    );
    expect(hashes[0]).toBe(hashes[1]);
  });
});

test('token and hmac read the header that the integration names, others their own', () => {
  expect(code('token', { 'x-ours': 'the secret' }, 'X-Ours')).toBe('let in');
  expect(code('token', { 'x-ours': 'Bearer the secret' }, 'X-Ours')).toBe(wrong);
  expect(code('token', { authorization: 'the secret' }, 'X-Ours')).toBe(missing);
  expect(code('hmac', { 'x-ours': sign('sha256') }, 'X-Ours')).toBe('let in');
  expect(code('gitlab', { 'x-ours': 'the secret' }, 'X-Ours')).toBe(missing);
  expect(credentialHeader({ auth_method: 'hmac', auth_header: 'X-Ours' })).toBe('X-Ours');
  expect(credentialHeader({ auth_method: 'basic', auth_header: 'X-Ours' })).toBe('Authorization');
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
    const refusal = checkSender({ auth_method, auth_header: '' }, null, { headers, bytes });
    expect([auth_method, refusal?.code]).toEqual([auth_method, 'delivery.key_missing']);
  }
});
