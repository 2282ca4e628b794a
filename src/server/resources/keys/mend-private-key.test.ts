// Slow: keys of every kind are made by ssh-keygen and openssl.
// With keys that ssh-keygen and openssl have made.

import { expect, test } from 'vitest';
import { mendPrivateKey } from '#shared/keys/mend-private-key.ts';
import { wrongPrivateKey } from '#shared/keys/wrong-private-key.ts';
import { opensslKey, publicKeyOf, sshKeygen } from '../../../../test/helpers/private-keys.ts';
import { convertEd25519 } from './convert-ed25519.ts';
import { opensshKeyType } from './openssh-key-type.ts';

/** How pastes, shells and files damage the whitespace of a key. */
const damages: Record<string, (key: string) => string> = {
  nothing: (key) => key,
  'line ends of Windows': (key) => key.replaceAll('\n', '\r\n'),
  'line ends of old Macs': (key) => key.replaceAll('\n', '\r'),
  'no line end at the end': (key) => key.trimEnd(),
  indentation: (key) => key.replaceAll(/^/gm, '    '),
  'tabs and blanks at the ends': (key) => key.replaceAll('\n', ' \t\n'),
  'blank lines around it': (key) => `\n\n${key}\n \n`,
  'blank lines in between': (key) => key.replaceAll('\n', '\n\n'),
  'double quotes': (key) => `"${key.trim()}"`,
  'single quotes': (key) => `'${key}'\n`,
  'one line with blanks': (key) => key.trim().replaceAll('\n', ' '),
  'line breaks that are written out': (key) => key.replaceAll('\n', String.raw`\n`),
  'line breaks of Windows that are written out': (key) =>
    `"${key.trim().replaceAll('\n', String.raw`\r\n`)}"`,
  'a byte order mark': (key) => `\uFEFF${key}`,
};

const makers: [string, () => Promise<string>][] = [
  ['an Ed25519 key of OpenSSH', () => sshKeygen()],
  ['an RSA key in PEM', () => sshKeygen({ type: 'rsa', format: 'PEM' })],
  [
    'an encrypted RSA key in PEM, which has headers',
    () => sshKeygen({ type: 'rsa', format: 'PEM', passphrase: 'passphrase' }),
  ],
  ['an ECDSA key in PKCS#8', () => sshKeygen({ type: 'ecdsa', format: 'PKCS8' })],
  ['a key of openssl', () => opensslKey('RSA')],
];

test.each(makers)('mends the whitespace of %s', async (_what, make) => {
  const key = await make();
  for (const [damage, damaged] of Object.entries(damages)) {
    expect([damage, mendPrivateKey(damaged(key))]).toEqual([damage, key]);
  }
});

test('mends a key whose line breaks are missing altogether', async () => {
  const key = await sshKeygen();
  expect(mendPrivateKey(key.replaceAll('\n', ''))).toBe(key);
});

test('mends each of several keys', async () => {
  const keys = `${await sshKeygen()}${await sshKeygen({ type: 'rsa', format: 'PEM' })}`;
  expect(mendPrivateKey(`  ${keys.replaceAll('\n', '\r\n  ')}`)).toBe(keys);
});

test('leaves what is no private key as it is', async () => {
  const key = await sshKeygen();
  for (const text of [
    '',
    ' ',
    'x',
    await publicKeyOf(key),
    `x${key}`,
    `${key}x`,
    key.slice(0, -9),
  ]) {
    expect(mendPrivateKey(text)).toBe(text);
  }
});

test('takes no longer for texts that are made to take long', () => {
  const begin = '-----BEGIN RSA PRIVATE KEY-----';
  const end = '-----END RSA PRIVATE KEY-----';
  const started = performance.now();
  for (const part of [begin, 'a: ', ' ', '-', `${begin}${end}`, String.raw`\n`, '"']) {
    const text = part.repeat(Math.floor((64 * 1024) / part.length));
    mendPrivateKey(text);
    mendPrivateKey(`${begin}${text}${end}`);
    wrongPrivateKey(mendPrivateKey(`${begin}${text}`));
    opensshKeyType(text);
  }
  expect(performance.now() - started).toBeLessThan(2_000);
});

test('tells what was entered in the place of a private key', async () => {
  const key = await sshKeygen();
  const cases = [
    [key, null],
    ['  ', 'key.private_key_required'],
    ['hunter2', 'key.private_key_invalid'],
    [`x${key}`, 'key.private_key_invalid'],
    [key.slice(0, -10), 'key.private_key_cut'],
    [await publicKeyOf(key), 'key.private_key_public'],
    ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n', 'key.private_key_public'],
    ['---- BEGIN SSH2 PUBLIC KEY ----\nAAAA', 'key.private_key_public'],
    ['PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n', 'key.private_key_putty'],
  ];
  for (const [text, code] of cases) expect(wrongPrivateKey(text ?? '')).toBe(code);
});

test('converts Ed25519 keys of openssl, which not every OpenSSH reads', async () => {
  const key = await opensslKey('ED25519');
  const converted = convertEd25519(key);
  expect(converted.split('\n')[0]).toBe('-----BEGIN OPENSSH PRIVATE KEY-----');
  expect(opensshKeyType(converted)).toBe('ssh-ed25519');
  expect(await publicKeyOf(converted)).toMatch(/^ssh-ed25519 AAAA/);
});

test('leaves other keys in the format in which they are', async () => {
  const ed25519 = await opensslKey('ED25519', 'passphrase');
  const broken = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
  for (const key of [await opensslKey('RSA'), await opensslKey('X25519'), ed25519, broken]) {
    expect(convertEd25519(key)).toBe(key);
  }
});

test('reads the type of a key also when the key is encrypted', async () => {
  expect(opensshKeyType(await sshKeygen({ passphrase: 'passphrase' }))).toBe('ssh-ed25519');
  expect(opensshKeyType(await sshKeygen({ type: 'rsa' }))).toBe('ssh-rsa');
  expect(opensshKeyType(await opensslKey('RSA'))).toBeNull();
  const empty = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n';
  expect(opensshKeyType(`${empty}-----END OPENSSH PRIVATE KEY-----\n`)).toBeNull();
});
