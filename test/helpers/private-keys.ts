// Private keys, made by the programs with which people make them.

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface SshKeyOptions {
  type?: 'ed25519' | 'rsa' | 'ecdsa';
  passphrase?: string;
  /** The format; absent: that of OpenSSH. */
  format?: 'PEM' | 'PKCS8';
}

/** Gives the work the path of a file that is removed afterwards. */
async function withFile<T>(work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-key-'));
  try {
    return await work(join(folder, 'key'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A private key of ssh-keygen. */
export const sshKeygen = ({
  type = 'ed25519',
  passphrase = '',
  format,
}: SshKeyOptions = {}): Promise<string> =>
  withFile((file) => {
    const form = format ? ['-m', format] : [];
    execFileSync('ssh-keygen', ['-q', '-t', type, '-N', passphrase, '-f', file, ...form]);
    return readFile(file, 'utf8');
  });

/** A private key of `openssl genpkey`, in the format PKCS#8. */
export const opensslKey = (algorithm: string, passphrase = ''): Promise<string> =>
  withFile((file) => {
    const encrypted = passphrase === '' ? [] : ['-aes-256-cbc', '-pass', `pass:${passphrase}`];
    execFileSync('openssl', ['genpkey', '-algorithm', algorithm, '-out', file, ...encrypted], {
      stdio: 'ignore',
    });
    return readFile(file, 'utf8');
  });

/** The public key that ssh-keygen finds in a private key without a passphrase. */
export const publicKeyOf = (privateKey: string): Promise<string> =>
  withFile(async (file) => {
    await writeFile(file, privateKey, { mode: 0o600 });
    const text = execFileSync('ssh-keygen', ['-y', '-P', '', '-f', file], { encoding: 'utf8' });
    return text.split(' ').slice(0, 2).join(' ').trim();
  });
