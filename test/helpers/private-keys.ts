// Private keys, made by the programs with which people make them.

import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folder } from './seed.ts';

interface SshKeyOptions {
  type?: 'ed25519' | 'rsa' | 'ecdsa';
  passphrase?: string;
  /** The format; absent: that of OpenSSH. */
  format?: 'PEM' | 'PKCS8';
}

/** A private key of ssh-keygen. */
export async function sshKeygen({
  type = 'ed25519',
  passphrase = '',
  format,
}: SshKeyOptions = {}): Promise<string> {
  const file = join(await folder(), 'key');
  const args = ['-q', '-t', type, '-N', passphrase, '-f', file, ...(format ? ['-m', format] : [])];
  execFileSync('ssh-keygen', args);
  const text = await readFile(file, 'utf8');
  await rm(file);
  return text;
}

/** A private key of `openssl genpkey`, in the format PKCS#8. */
export async function opensslKey(algorithm: string, passphrase = ''): Promise<string> {
  const file = join(await folder(), 'key');
  const encrypted = passphrase === '' ? [] : ['-aes-256-cbc', '-pass', `pass:${passphrase}`];
  execFileSync('openssl', ['genpkey', '-algorithm', algorithm, '-out', file, ...encrypted], {
    stdio: 'ignore',
  });
  return readFile(file, 'utf8');
}

/** The public key that ssh-keygen finds in a private key without a passphrase. */
export async function publicKeyOf(privateKey: string): Promise<string> {
  const file = join(await folder(), 'key');
  await writeFile(file, privateKey, { mode: 0o600 });
  const text = execFileSync('ssh-keygen', ['-y', '-P', '', '-f', file], { encoding: 'utf8' });
  return text.split(' ').slice(0, 2).join(' ').trim();
}
