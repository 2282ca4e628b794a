import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fileReaders } from '../../../test/helpers/config.ts';
import { loadConfig } from './config.ts';
import { directoryWarnings } from './directory-settings.ts';
import { parseIdentity } from './identity-file.ts';

const oidc = {
  id: 'a',
  name: 'A',
  issuer: 'https://a.example',
  client_id: 'c',
  client_secret: 's',
};
const ldap = { url: 'ldaps://ldap.example', base_dn: 'dc=example' };
const parse = (value: unknown) => parseIdentity(JSON.stringify(value), (name) => `of ${name}\n`);

test('fills in what most leave out, and puts providers in their order', () => {
  const last = { ...oidc, id: 'z', order: 5, client_secret: undefined, client_secret_file: 'f' };
  const { providers, passwordLogin } = parse({ oidc: [last, oidc] });
  expect(providers.map(({ id, client_secret: secret }) => [id, secret])).toEqual([
    ['a', 's'],
    ['z', 'of f'],
  ]);
  expect(providers[0]).toMatchObject({
    scopes: ['openid', 'profile', 'email'],
    claims: { username: ['preferred_username', 'email'], email: ['email'] },
    link_by_email: true,
    link_local_users: false,
    link_administrators: false,
    create_users: true,
    create_users_without_email: false,
    allow_private: false,
  });
  expect(passwordLogin).toBe(true);
  expect(parseIdentity('', () => '')).toEqual({ providers: [], ldap: null, passwordLogin: true });
});

test.each([
  [{ oidc: [{ ...oidc, client_id: undefined }] }, 'oidc[0].client_id is missing'],
  [{ oidc: [oidc, { ...oidc, id: 'b', nmae: 'x' }] }, 'oidc[1].nmae is not known'],
  [{ oidc: [oidc, oidc] }, 'oidc has two providers with the same id'],
  [{ oidc: [{ ...oidc, id: 'ldap' }] }, 'oidc[0].id must not be ldap, any, local'],
  [
    { oidc: [{ ...oidc, issuer: 'http://a.example' }] },
    'oidc[0].issuer must be an https address, unless allow_private is set',
  ],
  [
    { oidc: [{ ...oidc, client_secret_file: 'f' }] },
    'oidc[0].client_secret and client_secret_file are both given; leave one out',
  ],
  [{ oidc: [{ ...oidc, color: 'url(x)' }] }, 'oidc[0].color must be a colour such as #1f6feb'],
  [
    { password_login: 'off' },
    'password_login must be on where no provider is given: nobody could sign in',
  ],
  [
    { password_login: 'off', ldap, oidc: [oidc] },
    'password_login must be on where a directory is asked: passwords of the directory need the form',
  ],
  [{ ldap: { url: ldap.url } }, 'ldap.base_dn is missing'],
  [
    { ldap: { ...ldap, url: 'ldap://ldap.example' } },
    'ldap.url must begin with ldaps://, or start_tls be true; allow_plain gives up encryption',
  ],
  [
    { ldap: { ...ldap, user_filter: '(uid=x)' } },
    'ldap.user_filter must have {login} where the text belongs',
  ],
  [
    { ldap: { ...ldap, group_filter: '(member=cn=all)' } },
    'ldap.group_filter must have {dn} or {username} where the text belongs',
  ],
  [
    { ldap: { ...ldap, group_filter: '(member:{dn}:=cn=all)' } },
    'ldap.group_filter has {dn} where no value belongs',
  ],
  [
    { ldap: { ...ldap, user_filter: '({login}=ada)' } },
    'ldap.user_filter must be a filter such as (uid={login})',
  ],
  [
    { ldap: { ...ldap, user_filter: '(uid={login}' } },
    'ldap.user_filter must be a filter such as (uid={login})',
  ],
])('refuses %j', (value, words) => {
  expect(() => parse(value)).toThrow(words);
});

const guide = new URL('../../../docs/guide/', import.meta.url);

test('every example of the guide is right', () => {
  const pages = ['company-sign-in.md', 'active-directory.md'].map((name) =>
    readFileSync(new URL(name, guide), 'utf8'),
  );
  const examples = [...pages.join('\n').matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text);
  const read = examples.map((text) => parseIdentity(text ?? '', () => 'of a file'));
  expect(read.map(({ providers, ldap: one }) => [providers[0]?.id, one?.url])).toEqual([
    ['company', undefined],
    [undefined, 'ldaps://ldap.example.com'],
    [undefined, 'ldaps://dc1.corp.example.com'],
    [undefined, 'ldaps://dc1.corp.example.com'],
  ]);
  expect(read.flatMap(({ ldap: one }) => (one ? directoryWarnings(one) : []))).toEqual([]);
});

test('a name in braces that nothing is put in for is warned of', () => {
  const filters = { user_filter: '(|(uid={login})(cn={dn}))', group_filter: '(|(a={dn})(b={DN}))' };
  const { ldap: directory } = parse({ ldap: { ...ldap, ...filters } });
  expect(directory && directoryWarnings(directory)).toEqual([
    'ldap.user_filter of the identity file has {dn}, which is sent to the directory as it is. What is filled in: {login}.',
    'ldap.group_filter of the identity file has {DN}, which is sent to the directory as it is. What is filled in: {dn}, {username}.',
  ]);
});

test('a file that is not right stops the start with one line that names it', () => {
  const env = { SIGNALBOX_IDENTITY_FILE: '/nowhere/identity.yaml' };
  expect(() => loadConfig(env, fileReaders)).toThrow(
    /^SIGNALBOX_IDENTITY_FILE \(\/nowhere\/identity\.yaml\): the file .* cannot be read\. Correct it/,
  );
  expect(() => parseIdentity('oidc: [', () => '')).toThrow(/^it is not valid YAML: /);
});
