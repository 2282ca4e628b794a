// The ssh program of git: for each connection it chooses the configuration, and with it the key. It sees
// the host and the path to which git really connects, also when a setting of git has changed the address.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { scopeOfAddress, type KeyScope } from '#shared/git/host-config.ts';
import { quoted } from '../programs/shell.ts';
import { unusableWords, type ScopedKey } from './keys-by-host.ts';

const source = fileURLToPath(new URL('./git-ssh.sh', import.meta.url));

export interface SshKeys {
  /** The configuration with the key of the repository; null: that of the user. */
  config: string | null;
  /** The configuration of the keys by host. */
  others: string;
  /** The address that is reached with the key of the repository in any case; null: none. */
  ownUrl: string | null;
  /** The keys by host, the most specific first, each with the socket of its agent. */
  byHost: (ScopedKey & { agent: string })[];
}

export async function gitSshProgram({ config, others, ownUrl, byHost }: SshKeys): Promise<string> {
  const own = ownUrl === null ? null : scopeOfAddress(ownUrl);
  const choices = [
    ...(own ? [`  if ${matches(own)}; then return; fi\n`] : []),
    ...byHost.map((one) => `  if ${matches(one.scope)}; then ${connect(one)}; fi\n`),
  ];
  const set = `config=${quoted(config ?? '')}\nothers=${quoted(others)}\n`;
  const choose = `choose() {\n${choices.join('')}  return\n}\n`;
  return `#!/bin/sh\n${set}${choose}${await readFile(source, 'utf8')}`;
}

const matches = ({ host, port, user, path }: KeyScope): string =>
  ['matches', ...[host, String(port ?? ''), user, path].map(quoted)].join(' ');

/** The commands that use the key. ssh is offered no other key, and none of the user's files. */
function connect({ key, host, agent }: ScopedKey & { agent: string }): string {
  if (key.type !== 'ssh' || agent === '') return `echo ${quoted(unusableWords(host))} >&2; exit 1`;
  const login = key.login === '' ? '' : `[ -n "$user" ] || set -- -l ${quoted(key.login)} "$@"; `;
  const options = ['-o', `IdentityAgent=${agent}`, '-o', 'IdentityFile=none'].map(quoted);
  return `${login}exec ssh -F "$others" ${options.join(' ')} "$@"`;
}
